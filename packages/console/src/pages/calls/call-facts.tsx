import type { ReactNode } from 'react'
import { functionPath, PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Facts } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import type { Call } from './read-calls.ts'
import { CALLS_WORDS } from './words.ts'

const WORDS = CALLS_WORDS.panel

type FactsProps = {
  call: Call
  /** Undefined while it loads; null if the call has none. */
  requestId: string | null | undefined
  accountName: string | undefined
  accountGone: boolean
  applicationName: string
}

/** Who called what, as links to everything that the call belongs to. */
export function CallFacts({ call, requestId, accountName, accountGone, applicationName }: FactsProps): ReactNode {
  const { id, app_key, app, function_name, user_id, started_at, connected_account_id: accountId, via } = call
  const account =
    accountId === null ? (
      WORDS.noAccount
    ) : accountGone ? (
      WORDS.gone(accountId)
    ) : (
      <PageLink page="accounts" search={{ app_key, account: String(accountId) }}>
        {accountName ?? `#${accountId}`}
      </PageLink>
    )
  return (
    <Facts
      facts={[
        [
          WORDS.function,
          app === null ? (
            function_name
          ) : (
            <PageLink key="function" page="catalog" path={functionPath(app, function_name)}>
              {function_name}
            </PageLink>
          ),
        ],
        [
          WORDS.user,
          <PageLink key="user" page="users" path={`${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}`}>
            {user_id}
          </PageLink>,
        ],
        [WORDS.account, account],
        [
          WORDS.application,
          <PageLink key="application" page="applications" path={encodeURIComponent(app_key)}>
            {applicationName}
          </PageLink>,
        ],
        [WORDS.started, <Time key="started" at={started_at} as="exact" />],
        ...(via === undefined ? [] : [[WORDS.via, viaOf(via)] as const]),
        [WORDS.callId, <Id key="id" value={id} what={WORDS.callId} full />],
        [
          WORDS.requestId,
          requestId === null
            ? WORDS.noRequestId
            : requestId !== undefined && <Id key="request" value={requestId} what={WORDS.requestId} full />,
        ],
      ]}
    />
  )
}

/** `mcp:` is followed by the name of the client. */
function viaOf(via: string): string {
  const [kind = '', client = ''] = via.split(/:(.*)/s)
  return client === '' ? (WORDS.vias[kind] ?? via) : WORDS.mcp(client)
}

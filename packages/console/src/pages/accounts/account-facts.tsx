import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { readCalls } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Facts, Row } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { AccountDetail } from './explain.ts'
import { WORDS } from './words.ts'

const { panel: words } = WORDS

/** Among so many of the newest calls of the user with the app, the last one with the account is searched. */
const NEWEST = 20

/** What an account is about, with links to its user, its app and its calls. */
export function AccountFacts({ account, app, application }: { account: AccountDetail; app: string; application: string }): ReactNode {
  const { app_key, user_id } = account
  return (
    <Group
      title={words.facts}
      actions={
        <PageLink page="calls" search={{ app_key, user: user_id, app: account.app, period: '90d' }}>
          {words.calls}
        </PageLink>
      }
    >
      <Facts
        facts={[
          [
            words.user,
            <PageLink key="user" page="users" path={`${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}`}>
              {user_id}
            </PageLink>,
          ],
          [
            words.app,
            <PageLink key="app" page="catalog" path={encodeURIComponent(account.app)}>
              {app}
            </PageLink>,
          ],
          [
            words.application,
            <PageLink key="application" page="applications" path={encodeURIComponent(app_key)}>
              {application}
            </PageLink>,
          ],
          [words.isDefault, account.is_default ? words.yes : words.no],
          [words.lastCall, <LastCall key="call" account={account} />],
          [words.token, account.renewed_at === null ? words.noToken : <Time key="token" at={account.renewed_at} as="exact" />],
          [words.changed, <Time key="changed" at={account.modified_at} as="exact" />],
          [words.connected, <Time key="connected" at={account.created_at} as="exact" />],
          [words.id, <Id key="id" value={String(account.id)} what={words.id} full />],
        ]}
      />
    </Group>
  )
}

function LastCall({ account: { id, app_key, user_id, app } }: { account: AccountDetail }): ReactNode {
  const query = { workspace_id: useWorkspaceId(), app_key, user_id, app, page_size: NEWEST }
  const { data, error } = useRead(functions, readCalls, { query })
  if (error !== undefined) return error.message
  if (data === undefined) return '…'
  const call = data.calls.find((each) => each.connected_account_id === id)
  if (call === undefined) return words.noCall
  return (
    <Row>
      <PageLink page="calls" search={{ app_key, call: call.id }}>
        {call.function_name}
      </PageLink>
      <Time at={call.started_at} />
    </Row>
  )
}

import type { ApprovalBackground } from '@onward/contract'
import { type ReactNode, useState } from 'react'
import { functions } from '../../api/doors.ts'
import { readApproval, readApprovalBackground, readCatalogApp } from '../../api/endpoints.ts'
import { useMay, useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { requestText } from '../../parts/request-text.ts'
import { functionPath, PageLink } from '../../shell/links.tsx'
import { formatBytes, formatNumber } from '../../text/format.ts'
import { Tag } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { Empty, Notice } from '../../ui/empty.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Group, Section } from '../../ui/section.tsx'
import { Lines } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { type ApprovalRow, State, viaOf } from './approval-columns.tsx'
import styles from './approvals.module.css'
import { Background } from './background.tsx'
import { Decide } from './decide.tsx'
import { requestFacts } from './request-facts.ts'
import { WORDS } from './words.ts'

const { panel: words } = WORDS

type PanelProps = { id: string; row: ApprovalRow | undefined; nameOf(appKey: string): string }

/**
 * One approval: what the call will send, who asks, and the decision. It stays while the list drops the row, and is read by itself if
 * the list does not have it: a link from a webhook leads to any.
 */
export function ApprovalPanel({ id, row, nameOf }: PanelProps): ReactNode {
  const [known, setKnown] = useState(row)
  // A decision is newer than the row, until the list has read the row again.
  const [decided, setDecided] = useState<ApprovalRow | undefined>(undefined)
  if (row !== undefined && row !== known) {
    setKnown(row)
    if (row.state !== 'pending') setDecided(undefined)
  }
  const ofWorkspace = { params: { id }, query: { workspace_id: useWorkspaceId() } }
  const read = useRead(functions, readApproval, ofWorkspace, { enabled: known === undefined })
  const approval = decided ?? known ?? read.data
  const ofApp = { params: { app: approval?.app ?? '' }, query: { app_key: approval?.app_key } }
  const app = useRead(functions, readCatalogApp, ofApp, { enabled: approval !== undefined })
  const isPending = approval?.state === 'pending'
  const asks = useMay('developer').allowed && isPending
  // Each time, the user's app is called.
  const background = useRead(functions, readApprovalBackground, ofWorkspace, { enabled: asks, freshFor: 60_000 })
  if (read.error?.code === 'approval_not_found') return <Empty title={words.gone} help={words.goneHelp} />
  if (approval === undefined) {
    return (
      <Section hideTitle title={words.title} reading={read} skeleton={<Lines count={8} />}>
        {() => null}
      </Section>
    )
  }
  // The API treats a function that is no longer in the catalog as destructive.
  const isDestructive =
    app.data !== undefined && app.data.functions.find(({ name }) => name === approval.function_name)?.destructive !== false
  const { request, hidden_characters: hidden, files, message } = approval
  const facts = requestFacts(request)
  return (
    <Stack gap={5}>
      <Row gap={3}>
        <State state={approval.state} />
        {isDestructive && <Tag bad>{words.destructive}</Tag>}
      </Row>
      {message !== null && (
        <Notice tone="info" title={words.message}>
          {message}
        </Notice>
      )}
      {facts.length > 0 && (
        <Group title={words.says}>
          <Facts
            facts={facts.map(([name, value]) => [
              labelOf(name),
              <span key={name} className={styles.value}>
                {value}
              </span>,
            ])}
          />
        </Group>
      )}
      {hidden > 0 && <Notice tone="warn">{words.hidden(formatNumber(hidden))}</Notice>}
      <details open={facts.length === 0} className={styles.raw}>
        <summary>{words.request}</summary>
        <p>{words.requestAbout}</p>
        <Code wrap label={words.code} text={requestText({ ...request, headers: Object.entries(request.headers) })} />
      </details>
      {files.length > 0 && (
        <Group title={words.files} about={words.filesAbout}>
          <Facts
            facts={files.map(({ parameter, name, size, content_type, sha256 }) => [
              parameter,
              <Stack key={parameter} gap={1}>
                {words.file(name, formatBytes(size), content_type)}
                <Id value={sha256} what={words.digest} full />
              </Stack>,
            ])}
          />
        </Group>
      )}
      {asks && !isEmpty(background.data) && (
        <Section hideTitle title={words.background} reading={background} skeleton={<Lines count={4} />}>
          {(read) => <Background {...read} />}
        </Section>
      )}
      <ApprovalFacts approval={approval} application={nameOf(approval.app_key)} />
      {isPending && (
        <Decide
          key={approval.id}
          approval={approval}
          reading={asks && background.data === undefined && background.error === undefined}
          isDestructive={isDestructive}
          onDecided={(next) => setDecided({ ...next, app_key: approval.app_key })}
        />
      )}
    </Stack>
  )
}

/** `Contact name` for `contact_name`. */
function labelOf(name: string): string {
  const text = name.replaceAll('_', ' ')
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function isEmpty(background: ApprovalBackground | undefined): boolean {
  return background !== undefined && background.now === null && background.ids.length === 0
}

function ApprovalFacts({ approval, application }: { approval: ApprovalRow; application: string }): ReactNode {
  const { app_key, user_id, app, account, token, decided_by, call_id, reason } = approval
  return (
    <Group title={words.facts}>
      <Facts
        facts={[
          [
            words.fn,
            <PageLink key="function" page="catalog" path={functionPath(app, approval.function_name)}>
              {approval.function_title}
            </PageLink>,
          ],
          [
            WORDS.list.user,
            <PageLink key="user" page="users" path={`${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}`}>
              {user_id}
            </PageLink>,
          ],
          [
            words.account,
            account === null ? (
              words.noAccount
            ) : (
              <PageLink key="account" page="accounts" search={{ app_key, account: String(account.id) }}>
                {account.display_name === '' ? words.disconnected : account.display_name}
              </PageLink>
            ),
          ],
          [
            WORDS.list.application,
            <PageLink key="application" page="applications" path={encodeURIComponent(app_key)}>
              {application}
            </PageLink>,
          ],
          ...(token === null
            ? [[WORDS.list.from, viaOf(approval.via)] as const]
            : [
                [
                  words.access,
                  <Row key="access">
                    <PageLink page="agents" search={{ app_key, user: user_id, agent: token.id }}>
                      {token.name === '' ? words.ended : token.name}
                    </PageLink>
                    {token.redirect_host !== null && words.host(token.redirect_host)}
                  </Row>,
                ] as const,
                [words.program, words.itself(viaOf(approval.via))] as const,
              ]),
          [words.asked, <Time key="asked" at={approval.created_at} as="exact" />],
          [words.until, <Time key="until" at={approval.expires_at} as="exact" />],
          ...(decided_by === null
            ? []
            : [
                [
                  words.decided,
                  <Row key="decided">
                    <Time at={approval.decided_at} as="exact" />
                    {words.deciders[decided_by]}
                  </Row>,
                ] as const,
              ]),
          ...(reason === null ? [] : [[words.reason, reason] as const]),
          ...(call_id === null
            ? []
            : [
                [
                  words.call,
                  <PageLink key="call" page="calls" search={{ app_key, call: call_id }}>
                    {words.openCall}
                  </PageLink>,
                ] as const,
              ]),
          [words.id, <Id key="id" value={approval.id} what={words.id} full />],
        ]}
      />
    </Group>
  )
}

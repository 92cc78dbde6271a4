import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { revokeApplicationMcpToken } from '../../api/endpoints.ts'
import { useMay } from '../../api/me.ts'
import { useChange } from '../../api/queries.ts'
import { useRefreshList } from '../../list/refresh-list.ts'
import { useAppTitles } from '../../parts/app-title.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Id } from '../../ui/copy-button.tsx'
import { DangerButton } from '../../ui/danger-button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Facts, Row, Stack } from '../../ui/page.tsx'
import { Group } from '../../ui/section.tsx'
import { Time } from '../../ui/time.tsx'
import type { AgentRow } from './agent-columns.tsx'
import { AgentUsage } from './agent-usage.tsx'
import { Narrow } from './narrow.tsx'
import { WORDS } from './words.ts'

const { panel: words } = WORDS

type PanelProps = { agent: AgentRow | undefined; nameOf(appKey: string): string }

/** What one agent may do, and how to end that. */
export function AgentPanel({ agent, nameOf }: PanelProps): ReactNode {
  if (agent === undefined) return <Empty title={words.gone} help={words.goneHelp} />
  return (
    <Stack gap={5}>
      <AgentUsage agent={agent} />
      <AgentFacts agent={agent} application={nameOf(agent.app_key)} />
      <Narrow agent={agent} />
      <Revoke agent={agent} />
    </Stack>
  )
}

function AgentFacts({ agent, application }: { agent: AgentRow; application: string }): ReactNode {
  const { app_key, user_id, name, client, apps, functions: names, role } = agent
  const titleOf = useAppTitles()
  return (
    <Group title={words.facts}>
      <Facts
        facts={[
          [words.agent, name],
          [
            words.user,
            <PageLink key="user" page="users" path={`${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}`}>
              {user_id}
            </PageLink>,
          ],
          [
            words.application,
            <PageLink key="application" page="applications" path={encodeURIComponent(app_key)}>
              {application}
            </PageLink>,
          ],
          [words.apps, apps?.map(titleOf).join(', ') ?? words.all],
          [words.functions, names?.join(', ') ?? words.allFunctions],
          [words.mode, agent.read_only ? WORDS.reads : WORDS.writes],
          [words.granted, words.grants[client === null ? role : 'user']],
          ...(client === null ? [] : [[words.host, client.redirect_host] as const]),
          [words.created, <Time key="created" at={agent.created_at} as="exact" />],
          [words.until, <Time key="until" at={agent.expires_at} as="exact" />],
          [words.id, <Id key="id" value={agent.id} what={words.id} full />],
        ]}
      />
    </Group>
  )
}

function Revoke({ agent }: { agent: AgentRow }): ReactNode {
  const { why } = useMay('developer')
  const { revoke } = WORDS
  const change = useChange(functions, revokeApplicationMcpToken, { done: revoke.done, refresh: [] })
  const refreshList = useRefreshList()
  const run = async () => {
    const done = await change.run({ params: { app_key: agent.app_key, id: agent.id } })
    if (done !== undefined) refreshList('agents')
    return done !== undefined
  }
  return (
    <Group title={revoke.title} about={revoke.about}>
      <Row>
        <DangerButton
          label={revoke.button}
          title={revoke.confirm}
          names={revoke.names(agent.name, agent.user_id)}
          action={revoke.action}
          why={why}
          run={run}
          error={change.error?.message}
        />
      </Row>
    </Group>
  )
}

import type { listApplicationMcpTokens, ResponseOf } from '@onward/contract'
import { Bot } from 'lucide-react'
import type { ReactNode } from 'react'
import { useAppTitles } from '../../parts/app-title.tsx'
import { AppLogo } from '../../shell/app-logo.tsx'
import { Named, Row } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WORDS } from './words.ts'

/** What an agent may do for a user: a grant of the user if it has a `client`, otherwise a token. */
export type AgentRow = ResponseOf<typeof listApplicationMcpTokens>['tokens'][number] & { readonly app_key: string }

const { list: words } = WORDS

/** The columns of the list, without the column of the application. */
export const AGENT_COLUMNS: readonly ExportedColumn<AgentRow>[] = [
  {
    id: 'name',
    head: words.agent,
    width: 'grow',
    phone: 'title',
    cell: ({ name }) => <Named logo={<Bot size={16} />}>{name}</Named>,
    text: ({ name }) => name,
  },
  { id: 'user_id', head: words.user, width: 'grow', phone: 'line', text: ({ user_id }) => user_id },
  { id: 'apps', head: words.apps, width: 190, phone: 'hide', cell: (agent) => <Apps agent={agent} />, text: (agent) => allowedBy(agent) },
  {
    id: 'read_only',
    head: words.mode,
    width: 140,
    phone: 'hide',
    cell: ({ read_only }) => (read_only ? WORDS.reads : WORDS.writes),
    text: ({ read_only }) => String(read_only),
  },
  timeColumn({ id: 'last_used_at', head: words.used, phone: 'named', at: ({ last_used_at }) => last_used_at }),
  timeColumn({ id: 'expires_at', head: words.until, phone: 'hide', as: 'short', at: ({ expires_at }) => expires_at }),
]

/** Maximum number of logos in a row. */
const LOGOS = 5

function Apps({ agent }: { agent: AgentRow }): ReactNode {
  const { apps } = agent
  const allowed = allowedBy(agent, useAppTitles())
  if (apps === null) return allowed
  if (apps.length === 1) return <Named logo={<AppLogo app={apps[0] ?? ''} size={20} />}>{allowed}</Named>
  return (
    <span title={allowed}>
      <Row gap={1}>
        {apps.slice(0, LOGOS).map((app) => (
          <AppLogo key={app} app={app} size={20} />
        ))}
        {apps.length > LOGOS && `+${apps.length - LOGOS}`}
      </Row>
    </span>
  )
}

function allowedBy({ apps, functions }: AgentRow, titleOf = (app: string) => app): string {
  return [apps?.map(titleOf).join(', ') ?? WORDS.allApps, ...(functions === null ? [] : [WORDS.functions(functions.length)])].join(', ')
}

import { Bot } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplicationMcpTokens, listApplications } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import { chainPages } from '../../list/chain-pages.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { BeforeApplications, noApplications } from '../../parts/before-applications.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { TableSkeleton } from '../../ui/table.tsx'
import { type AgentRow, agentColumns } from './agent-columns.tsx'
import { AgentPanel } from './agent-panel.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const ADDRESS = defineAddress({ user: { kind: 'text', label: WORDS.list.user, placeholder: WORDS.list.userPlaceholder } })

type Names = ReadonlyMap<string, string>

/** The programs that act for users of the application of the filter, or of all applications, one after the other. */
export function Page(): ReactNode {
  const reading = useRead(functions, listApplications, { query: { workspace_id: useWorkspaceId() } })
  const { data } = reading
  if (data !== undefined && data.applications.length > 0) {
    return <Loaded names={data.applications.map(({ app_key, name }) => [app_key, name])} />
  }
  return (
    <BeforeApplications
      title={WORDS.title}
      about={WORDS.about}
      reading={reading}
      skeleton={<TableSkeleton columns={agentColumns(undefined)} rows={12} />}
      empty={noApplications(WORDS.list.noApplicationsHelp, <Bot />)}
    />
  )
}

function Loaded({ names }: { names: readonly [appKey: string, name: string][] }): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names make no other list
  const list = useMemo(() => agentsOf(workspaceId, appKey, new Map(names)), [workspaceId, appKey, JSON.stringify(names)])
  return <ListPage list={list} />
}

function agentsOf(workspaceId: string, appKey: string | undefined, names: Names): ListOf<AgentRow, ReturnType<typeof ADDRESS.parse>> {
  const keys = appKey === undefined ? [...names.keys()] : [appKey]
  const nameOf = (key: string) => names.get(key) ?? key
  return {
    name: 'agents',
    scope: [workspaceId, ...keys],
    title: WORDS.title,
    about: WORDS.about,
    address: ADDRESS,
    columns: agentColumns(keys.length > 1 ? nameOf : undefined),
    rowKey: ({ id }) => id,
    load: ({ user }, cursor, signal) =>
      chainPages(keys, cursor, PAGE_SIZE, async (key, inner) => {
        const query = { user_id: user, page_size: PAGE_SIZE, _cursor: inner ?? undefined }
        const answer = await send(functions, listApplicationMcpTokens, { params: { app_key: key }, query, signal })
        return { rows: answer.tokens.map((token) => ({ ...token, app_key: key })), next: answer._cursor }
      }),
    panelParameter: 'agent',
    panel: (id, row) => <AgentPanel key={id} agent={row} nameOf={nameOf} />,
    panelTitle: (_id, row) => row?.name ?? WORDS.panel.title,
    empty: { icon: <Bot />, title: WORDS.list.empty, help: WORDS.list.emptyHelp },
  }
}

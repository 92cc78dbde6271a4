import { ShieldCheck } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { useRead } from '../../api/queries.ts'
import { defineAddress } from '../../list/address.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { BeforeApplications, noApplications } from '../../parts/before-applications.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { TableSkeleton } from '../../ui/table.tsx'
import { type ApprovalRow, approvalColumns } from './approval-columns.tsx'
import { ApprovalPanel } from './approval-panel.tsx'
import { type ApprovalFilters, makeApprovalReader } from './read-approvals.ts'
import { WORDS } from './words.ts'

const { list: words } = WORDS

const ADDRESS = defineAddress({
  state: {
    kind: 'enum',
    label: words.state,
    values: ['pending', 'approved', 'refused', 'used', 'all'],
    names: WORDS.states,
    default: 'pending',
  },
  user: { kind: 'text', label: words.user, placeholder: words.userPlaceholder },
  function: { kind: 'text', label: words.fn, placeholder: words.fnPlaceholder },
})

type Names = ReadonlyMap<string, string>

/** The approvals of the application of the filter, or of all applications, one after the other. */
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
      skeleton={<TableSkeleton columns={approvalColumns(undefined)} rows={12} />}
      empty={noApplications(words.noApplicationsHelp, <ShieldCheck />)}
    />
  )
}

function Loaded({ names }: { names: readonly [appKey: string, name: string][] }): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names make no other list
  const list = useMemo(() => approvalsOf(workspaceId, appKey, new Map(names)), [workspaceId, appKey, JSON.stringify(names)])
  return <ListPage list={list} />
}

function approvalsOf(workspaceId: string, appKey: string | undefined, names: Names): ListOf<ApprovalRow, ApprovalFilters> {
  const keys = appKey === undefined ? [...names.keys()] : [appKey]
  const nameOf = (key: string) => names.get(key) ?? key
  return {
    name: 'approvals',
    scope: [workspaceId, ...keys],
    title: WORDS.title,
    about: WORDS.about,
    address: ADDRESS,
    columns: approvalColumns(keys.length > 1 ? nameOf : undefined),
    rowKey: ({ id }) => id,
    ...makeApprovalReader(keys),
    panelParameter: 'approval',
    panel: (id, row) => <ApprovalPanel key={id} id={id} row={row} nameOf={nameOf} />,
    panelTitle: (_id, row) => row?.function_name ?? WORDS.panel.title,
    empty: { icon: <ShieldCheck />, title: words.empty, help: words.emptyHelp },
  }
}

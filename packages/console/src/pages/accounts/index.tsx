import { PlugZap } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { functions } from '../../api/doors.ts'
import { listApplications, listConnectedAccounts } from '../../api/endpoints.ts'
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
import { type AccountRow, accountColumns } from './account-columns.tsx'
import { AccountPanel } from './account-panel.tsx'
import { ConnectAccount } from './connect-account.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const { list: words } = WORDS

const ADDRESS = defineAddress({
  user: { kind: 'text', label: words.user, placeholder: words.userPlaceholder },
  app: { kind: 'text', label: words.app, placeholder: words.appPlaceholder },
  status: { kind: 'enum', label: words.status, values: ['active', 'expired', 'reconnect_required'], names: WORDS.status },
  is_default: { kind: 'flag', label: words.isDefault },
})

type Names = ReadonlyMap<string, string>

/** The connected accounts of the application of the filter, or of all applications, one after the other. */
export function Page(): ReactNode {
  const reading = useRead(functions, listApplications, { query: { workspace_id: useWorkspaceId() } })
  const { data } = reading
  if (data !== undefined && data.applications.length > 0)
    return <Loaded names={data.applications.map(({ app_key, name }) => [app_key, name])} />
  return (
    <BeforeApplications
      title={WORDS.title}
      about={WORDS.about}
      reading={reading}
      skeleton={<TableSkeleton columns={accountColumns(undefined)} rows={12} />}
      empty={noApplications(words.noApplicationsHelp, <PlugZap />)}
    />
  )
}

function Loaded({ names }: { names: readonly [appKey: string, name: string][] }): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same names make no other list
  const list = useMemo(() => accountsOf(workspaceId, appKey, new Map(names)), [workspaceId, appKey, JSON.stringify(names)])
  const chosenFirst = names.toSorted(([a], [b]) => Number(b === appKey) - Number(a === appKey))
  return <ListPage list={list} actions={<ConnectAccount applications={chosenFirst} />} />
}

function accountsOf(workspaceId: string, appKey: string | undefined, names: Names): ListOf<AccountRow, ReturnType<typeof ADDRESS.parse>> {
  const keys = appKey === undefined ? [...names.keys()] : [appKey]
  const nameOf = (key: string) => names.get(key) ?? key
  return {
    name: 'accounts',
    scope: [workspaceId, ...keys],
    title: WORDS.title,
    about: WORDS.about,
    address: ADDRESS,
    columns: accountColumns(keys.length > 1 ? nameOf : undefined),
    rowKey: ({ id }) => String(id),
    load: ({ user, app, status, is_default }, cursor, signal) =>
      chainPages(keys, cursor, PAGE_SIZE, async (key, inner) => {
        const query = {
          user_id: user,
          app,
          status,
          is_default: is_default || undefined,
          page_size: PAGE_SIZE,
          _cursor: inner ?? undefined,
        }
        const answer = await send(functions, listConnectedAccounts, { params: { app_key: key }, query, signal })
        return { rows: answer.connected_accounts.map((account) => ({ ...account, app_key: key })), next: answer._cursor }
      }),
    panelParameter: 'account',
    panel: (id) => <AccountPanel key={id} id={id} nameOf={nameOf} />,
    panelTitle: (_id, row) => row?.display_name ?? WORDS.panel.title,
    empty: { icon: <PlugZap />, title: words.empty, help: words.emptyHelp },
  }
}

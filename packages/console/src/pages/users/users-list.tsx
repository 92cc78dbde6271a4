import { FileSpreadsheet, Gauge, Users } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { insights } from '../../api/doors.ts'
import { listUsers } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import { chainPages } from '../../list/chain-pages.ts'
import type { ListOf } from '../../list/list-of.ts'
import { ListPage } from '../../list/list-page.tsx'
import { BeforeApplications, noApplications } from '../../parts/before-applications.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { pathTo } from '../../shell/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { TableSkeleton } from '../../ui/table.tsx'
import { type Application, useApplications } from './applications.ts'
import { type UserRow, userColumns } from './user-columns.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const { list: words } = WORDS

const ADDRESS = defineAddress({
  search: { kind: 'text', label: words.user, search: true, placeholder: words.search },
  state: { kind: 'enum', label: words.state, values: ['reached', 'near', 'blocked'], names: words.states },
  limit_source: { kind: 'enum', label: words.source, values: ['own', 'bulk', 'default'], names: WORDS.sources },
})

/** All users of the application of the filter, or of all applications, one after the other. */
export function UsersList(): ReactNode {
  const reading = useApplications()
  const { data } = reading
  if (data !== undefined && data.length > 0) return <Loaded applications={data} />
  return (
    <BeforeApplications
      title={WORDS.title}
      about={WORDS.about}
      reading={reading}
      skeleton={<TableSkeleton columns={userColumns(undefined)} rows={12} />}
      empty={noApplications(words.noApplicationsHelp, <Users />)}
    />
  )
}

function Loaded({ applications }: { applications: readonly Application[] }): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  const known = applications.map((each) => `${each.appKey} ${each.name}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new array of the same applications makes no other list
  const list = useMemo(() => usersOf(workspaceId, appKey, applications), [workspaceId, appKey, known])
  return (
    <ListPage
      list={list}
      actions={
        <>
          <PageLink page="users" path="limits" className={buttonClass()}>
            <Gauge aria-hidden="true" />
            {words.limits}
          </PageLink>
          <PageLink page="users" path="csv" search={{ app_key: appKey }} className={buttonClass()}>
            <FileSpreadsheet aria-hidden="true" />
            {words.csv}
          </PageLink>
        </>
      }
    />
  )
}

function usersOf(
  workspaceId: string,
  appKey: string | undefined,
  applications: readonly Application[],
): ListOf<UserRow, ReturnType<typeof ADDRESS.parse>> {
  const keys = appKey === undefined ? applications.map((each) => each.appKey) : [appKey]
  const names = new Map(applications.map((each) => [each.appKey, each.name]))
  return {
    name: 'users',
    scope: [workspaceId, ...keys],
    title: WORDS.title,
    about: WORDS.about,
    address: ADDRESS,
    columns: userColumns(keys.length > 1 ? (key) => names.get(key) ?? key : undefined),
    rowKey: ({ app_key, user_id }) => JSON.stringify([app_key, user_id]),
    load: (values, cursor, signal) =>
      chainPages(keys, cursor, PAGE_SIZE, async (key, inner) => {
        const query = { ...values, app_key: key, page_size: PAGE_SIZE, ...(inner === null ? {} : { _cursor: inner }) }
        const { users, _cursor } = await send(insights, listUsers, { query, signal })
        return { rows: users.map((user) => ({ ...user, app_key: key })), next: _cursor }
      }),
    href: ({ app_key, user_id }) =>
      pathTo({ page: 'users', path: `${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}` }, workspaceId),
    empty: { icon: <Users />, title: words.empty, help: words.emptyHelp },
  }
}

import { FileSpreadsheet, Gauge, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { insights } from '../../api/doors.ts'
import { listUsers } from '../../api/endpoints.ts'
import { useWorkspaceId } from '../../api/me.ts'
import { send } from '../../api/send.ts'
import { MOST_APPLICATIONS } from '../../api/suggestions.ts'
import { defineAddress } from '../../list/address.ts'
import { chainPages } from '../../list/chain-pages.ts'
import { mergePages } from '../../list/merge-pages.ts'
import { ApplicationList } from '../../parts/application-list.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { pathTo } from '../../shell/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useApplications } from './applications.ts'
import { USER_COLUMNS, type UserRow } from './user-columns.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const { list: words } = WORDS

const ADDRESS = defineAddress({
  search: { kind: 'text', label: words.user, search: true, placeholder: words.search },
  state: { kind: 'enum', label: words.state, values: ['reached', 'near', 'blocked'], names: words.states },
  order: { kind: 'enum', label: words.order, values: ['usage', 'user_id'], names: words.orders, default: 'usage' },
  limit_source: { kind: 'enum', label: words.source, values: ['own', 'bulk', 'default'], names: WORDS.sources },
})

/** The users, with their usage. */
export function UsersList(): ReactNode {
  const workspaceId = useWorkspaceId()
  const appKey = useAppKey()
  const reading = useApplications()
  return (
    <ApplicationList
      title={WORDS.title}
      about={WORDS.about}
      icon={<Users />}
      help={words.noApplicationsHelp}
      applications={{ ...reading, data: reading.data?.map((each) => [each.appKey, each.name]) }}
      columns={USER_COLUMNS}
      place={2}
      listOf={(keys) => ({
        name: 'users',
        address: ADDRESS,
        rowKey: ({ app_key, user_id }) => JSON.stringify([app_key, user_id]),
        load: ({ search, state, limit_source, order }, cursor, signal) => {
          const read = async (key: string, inner: string | null) => {
            const page = { page_size: PAGE_SIZE, ...(inner !== null && { _cursor: inner }) }
            const query = { search, state, limit_source, order, app_key: key, ...page }
            const { users, _cursor } = await send(insights, listUsers, { query, signal })
            return { rows: users.map((user) => ({ ...user, app_key: key })), next: _cursor }
          }
          const more = (a: UserRow, b: UserRow) => a.tasks_consumed_percent > b.tasks_consumed_percent
          const merges = order === 'usage' && keys.length <= MOST_APPLICATIONS
          return merges ? mergePages(keys, cursor, read, more) : chainPages(keys, cursor, PAGE_SIZE, read)
        },
        href: ({ app_key, user_id }) =>
          pathTo({ page: 'users', path: `${encodeURIComponent(app_key)}/${encodeURIComponent(user_id)}` }, workspaceId),
        empty: { icon: <Users />, title: words.empty, help: words.emptyHelp },
      })}
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

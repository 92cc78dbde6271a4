import { FileSpreadsheet, Gauge, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWorkspaceId } from '../../api/me.ts'
import { defineAddress } from '../../list/address.ts'
import { ApplicationList } from '../../parts/application-list.tsx'
import { useAppKey } from '../../shell/application-filter.tsx'
import { PageLink } from '../../shell/links.tsx'
import { pathTo } from '../../shell/paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { useApplications } from './applications.ts'
import { type Filters, readUsers } from './read-users.ts'
import { USER_COLUMNS } from './user-columns.tsx'
import { WORDS } from './words.ts'

const { list: words } = WORDS

const ADDRESS = defineAddress({
  search: { kind: 'text', label: words.user, search: true, placeholder: words.search },
  state: { kind: 'enum', label: words.state, values: ['reached', 'near', 'blocked', 'suspended', 'read_only'], names: words.states },
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
        load: (filters: Filters, cursor, signal) => readUsers({ workspaceId, keys }, filters, cursor, signal),
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

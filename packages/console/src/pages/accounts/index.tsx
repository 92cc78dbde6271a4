import { PlugZap } from 'lucide-react'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listConnectedAccounts } from '../../api/endpoints.ts'
import { send } from '../../api/send.ts'
import { defineAddress } from '../../list/address.ts'
import { chainPages } from '../../list/chain-pages.ts'
import { AppTitle } from '../../parts/app-title.tsx'
import { ApplicationList, useApplicationNames } from '../../parts/application-list.tsx'
import { ACCOUNT_COLUMNS } from './account-columns.tsx'
import { AccountPanel } from './account-panel.tsx'
import { ConnectAccount } from './connect-account.tsx'
import { WORDS } from './words.ts'

const PAGE_SIZE = 100

const { list: words } = WORDS

const ADDRESS = defineAddress({
  q: { kind: 'text', label: words.search, search: true, placeholder: words.searchFor },
  user: { kind: 'text', label: words.user, placeholder: words.userPlaceholder, suggests: 'user' },
  app: { kind: 'text', label: words.app, placeholder: words.appPlaceholder, suggests: 'app' },
  status: { kind: 'enum', label: words.status, values: ['active', 'expired', 'reconnect_required'], names: WORDS.status },
  is_default: { kind: 'flag', label: words.isDefault },
})

/** The connected accounts. */
export function Page(): ReactNode {
  const applications = useApplicationNames()
  return (
    <ApplicationList
      title={WORDS.title}
      about={WORDS.about}
      icon={<PlugZap />}
      help={words.noApplicationsHelp}
      applications={applications}
      columns={ACCOUNT_COLUMNS}
      place={3}
      listOf={(keys, nameOf) => ({
        name: 'accounts',
        address: ADDRESS,
        rowKey: ({ id }) => String(id),
        load: ({ q, user, app, status, is_default }, cursor, signal) =>
          chainPages(keys, cursor, PAGE_SIZE, async (key, inner) => {
            const query = {
              search: q,
              user_id: user,
              app,
              status,
              is_default: is_default || undefined,
              page_size: PAGE_SIZE,
              _cursor: inner ?? undefined,
            }
            const response = await send(functions, listConnectedAccounts, { params: { app_key: key }, query, signal })
            return { rows: response.connected_accounts.map((account) => ({ ...account, app_key: key })), next: response._cursor }
          }),
        panelParameter: 'account',
        panel: (id) => <AccountPanel key={id} id={id} nameOf={nameOf} />,
        panelTitle: (_id, row) =>
          row === undefined ? (
            WORDS.panel.title
          ) : (
            <>
              <AppTitle app={row.app} /> · {row.display_name}
            </>
          ),
        empty: { icon: <PlugZap />, title: words.empty, help: words.emptyHelp },
      })}
      actions={<ConnectAccount applications={applications.data ?? []} />}
    />
  )
}

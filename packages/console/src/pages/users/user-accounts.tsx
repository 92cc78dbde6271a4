import type { listConnectedAccounts as ListAccounts, ResponseOf } from '@onward/contract'
import type { ReactNode } from 'react'
import { functions } from '../../api/doors.ts'
import { listConnectedAccounts } from '../../api/endpoints.ts'
import { useRead } from '../../api/queries.ts'
import { AppLogo } from '../../shell/app-logo.tsx'
import { PageLink } from '../../shell/links.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Named } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { type Column, Table, TableSkeleton } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WORDS } from './words.ts'

type Row = ResponseOf<typeof ListAccounts>['connected_accounts'][number]

const SHOWN = 20
const TONES = { active: 'good', expired: 'warn', reconnect_required: 'bad' } as const

const { user: words } = WORDS

function columnsOf(appKey: string): readonly Column<Row>[] {
  return [
    {
      id: 'app',
      head: words.app,
      width: 170,
      phone: 'title',
      cell: ({ app }) => <Named logo={<AppLogo app={app} size={20} />}>{app}</Named>,
    },
    {
      id: 'display_name',
      head: words.account,
      width: 'grow',
      phone: 'line',
      cell: ({ id, display_name }) => (
        <PageLink page="accounts" search={{ app_key: appKey, account: String(id) }}>
          {display_name}
        </PageLink>
      ),
    },
    {
      id: 'status',
      head: words.status,
      width: 170,
      phone: 'title',
      cell: ({ status }) => <Badge tone={TONES[status]} text={WORDS.accountStates[status]} />,
    },
    timeColumn({
      id: 'modified_at',
      head: words.changed,
      align: 'end',
      phone: 'line',
      as: 'short',
      at: ({ modified_at }) => modified_at,
    }),
  ]
}

/** The newest connected accounts of a user. */
export function UserAccounts({ appKey, userId }: { appKey: string; userId: string }): ReactNode {
  const columns = columnsOf(appKey)
  const reading = useRead(functions, listConnectedAccounts, {
    params: { app_key: appKey },
    query: { user_id: userId, page_size: SHOWN },
  })
  return (
    <Section
      title={words.accounts}
      about={words.accountsAbout}
      reading={reading}
      skeleton={<TableSkeleton columns={columns} rows={2} />}
      actions={
        <>
          <PageLink page="agents" search={{ app_key: appKey, user: userId }} className={buttonClass('plain', 'small')}>
            {words.agents}
          </PageLink>
          <PageLink page="accounts" search={{ app_key: appKey, user: userId }} className={buttonClass('plain', 'small')}>
            {words.allAccounts}
          </PageLink>
        </>
      }
    >
      {({ connected_accounts: accounts }) => (
        <Table
          caption={words.accounts}
          columns={columns}
          rows={accounts}
          rowKey={({ id }) => String(id)}
          empty={{ title: words.noAccounts, help: words.noAccountsHelp }}
        />
      )}
    </Section>
  )
}

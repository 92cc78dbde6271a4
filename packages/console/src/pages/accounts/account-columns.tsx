import type { listConnectedAccounts, ResponseOf } from '@onward/contract'
import { AppTitle } from '../../parts/app-title.tsx'
import { AppLogo } from '../../shell/app-logo.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/page.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { WORDS } from './words.ts'

export type AccountRow = ResponseOf<typeof listConnectedAccounts>['connected_accounts'][number] & { readonly app_key: string }

const STATUS_TONES = { active: 'good', expired: 'warn', reconnect_required: 'bad' } as const

const { list: words } = WORDS

/** The columns of the list, without the column of the application. */
export const ACCOUNT_COLUMNS: readonly ExportedColumn<AccountRow>[] = [
  {
    id: 'app',
    head: words.app,
    width: 146,
    phone: 'title',
    cell: ({ app, display_name }) => (
      <Named logo={<AppLogo app={app} size={20} />}>
        <AppTitle app={app} />
        {/* It is the text of the link of the row, which needs both names. */}
        <span className="hidden">{display_name}</span>
      </Named>
    ),
    text: ({ app }) => app,
  },
  { id: 'user_id', head: words.user, width: 176, phone: 'line', text: ({ user_id }) => user_id },
  { id: 'display_name', head: words.account, width: 'grow', phone: 'line', text: ({ display_name }) => display_name },
  {
    id: 'status',
    head: words.status,
    width: 164,
    phone: 'title',
    cell: ({ status }) => <Badge tone={STATUS_TONES[status]} text={WORDS.status[status]} />,
    text: ({ status }) => status,
  },
  timeColumn({ id: 'created_at', head: words.connected, phone: 'hide', as: 'short', at: ({ created_at }) => created_at }),
  {
    id: 'last_used_at',
    head: words.used,
    width: 130,
    phone: 'hide',
    cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} as="short" /> : <span title={words.usedHelp}>–</span>),
    text: ({ last_used_at }) => last_used_at ?? '',
  },
  {
    id: 'last_error',
    hideEmpty: true,
    head: words.problem,
    width: 240,
    phone: 'hide',
    cell: ({ last_error }) => last_error !== null && <span title={last_error}>{last_error}</span>,
    text: ({ last_error }) => last_error ?? '',
  },
  { id: 'id', head: WORDS.panel.id, width: 90, phone: 'hide', text: ({ id }) => String(id) },
]

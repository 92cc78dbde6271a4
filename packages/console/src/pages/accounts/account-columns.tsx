import type { Answer, listConnectedAccounts } from '@onward/contract'
import { AppLogo } from '../../parts/app-logo.tsx'
import { withApplication } from '../../parts/application-column.ts'
import { Badge } from '../../ui/badge.tsx'
import { Named } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { WORDS } from './words.ts'

export type AccountRow = Answer<typeof listConnectedAccounts>['connected_accounts'][number] & { readonly app_key: string }

const STATUS_TONES = { active: 'good', expired: 'warn', reconnect_required: 'bad' } as const

const { list: words } = WORDS

/** The columns of the list. `nameOf` is undefined when all rows belong to one application. */
export function accountColumns(nameOf: ((appKey: string) => string) | undefined): readonly Column<AccountRow>[] {
  const columns: readonly Column<AccountRow>[] = [
    {
      id: 'display_name',
      head: words.account,
      width: 'grow',
      phone: 'title',
      cell: ({ app, display_name }) => <Named logo={<AppLogo app={app} size={20} />}>{display_name}</Named>,
      text: ({ display_name }) => display_name,
    },
    { id: 'user_id', head: words.user, width: 'grow', phone: 'line', cell: ({ user_id }) => user_id, text: ({ user_id }) => user_id },
    { id: 'app', head: words.app, width: 130, phone: 'line', cell: ({ app }) => app, text: ({ app }) => app },
    {
      id: 'status',
      head: words.status,
      width: 170,
      phone: 'title',
      cell: ({ status }) => <Badge tone={STATUS_TONES[status]} text={WORDS.status[status]} />,
      text: ({ status }) => status,
    },
    {
      id: 'last_error',
      head: words.problem,
      width: 240,
      phone: 'hide',
      cell: ({ last_error }) => last_error !== null && <span title={last_error}>{last_error}</span>,
      text: ({ last_error }) => last_error ?? '',
    },
    {
      id: 'modified_at',
      head: words.changed,
      width: 130,
      phone: 'hide',
      cell: ({ modified_at }) => <Time at={modified_at} as="short" />,
      text: ({ modified_at }) => modified_at,
    },
    { id: 'id', head: WORDS.panel.id, width: 90, phone: 'hide', cell: ({ id }) => String(id), text: ({ id }) => String(id) },
  ]
  return withApplication(columns, 3, words.application, nameOf)
}

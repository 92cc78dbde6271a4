import type { ReactNode } from 'react'
import { DeliveryLinks } from '../../parts/delivery-links.tsx'
import { formatPercent } from '../../text/format.ts'
import { Group } from '../../ui/section.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import type { UserDetail } from './user-figures.tsx'
import { WORDS } from './words.ts'

type Notice = UserDetail['notices'][number]

const { user: words } = WORDS

const COLUMNS: readonly Column<Notice>[] = [
  { id: 'level', head: words.level, width: 72, phone: 'title', cell: ({ event_name }) => levelOf(event_name) },
  timeColumn({ id: 'at', head: words.sentAt, phone: 'line', as: 'short', at: ({ at }) => at }),
  {
    id: 'deliveries',
    head: words.deliveries,
    width: 'grow',
    phone: 'line',
    cell: ({ deliveries }) => <DeliveryLinks deliveries={deliveries} />,
  },
]

/** The webhooks that the user's usage caused in this period. */
export function UserNotices({ user }: { user: UserDetail }): ReactNode {
  return (
    <Group title={words.notices} about={words.noticesAbout}>
      <Table
        caption={words.notices}
        columns={COLUMNS}
        rows={user.notices}
        rowKey={({ event_name, at }) => `${event_name} ${at}`}
        empty={{ title: words.noNotices, help: words.noNoticesHelp }}
      />
    </Group>
  )
}

/** `80%` for `user_tasks_limit_80`. */
function levelOf(event: string): string {
  const [, level] = /_(\d+)$/.exec(event) ?? []
  return level === undefined ? event : formatPercent(Number(level) / 100)
}

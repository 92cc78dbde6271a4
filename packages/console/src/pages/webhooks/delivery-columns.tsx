import type { ReactNode } from 'react'
import { Badge, Tag } from '../../ui/badge.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { timeColumn } from '../../ui/time-column.tsx'
import { deliveryStateOf, eventName, lastResponse, type OwnedDelivery } from './states.ts'
import styles from './webhooks.module.css'
import { TEXT } from './words.ts'

const TEXTS = TEXT.deliveries

export const COLUMNS: readonly ExportedColumn<OwnedDelivery>[] = [
  {
    id: 'status',
    head: TEXTS.state,
    width: 120,
    phone: 'line',
    cell: (row) => <Badge {...deliveryStateOf(row)} />,
    text: ({ status }) => status,
  },
  {
    id: 'user_id',
    head: TEXTS.user,
    width: 'grow',
    phone: 'title',
    cell: (row) => <User row={row} />,
    text: ({ user_id: user }) => user ?? '',
  },
  {
    id: 'event_name',
    head: TEXTS.event,
    width: 160,
    phone: 'line',
    cell: ({ event_name: event }) => eventName(event),
    text: ({ event_name: event }) => event,
  },
  {
    id: 'last_answer',
    head: TEXTS.response,
    width: 150,
    phone: 'hide',
    cell: (row) => <LastResponse row={row} />,
    text: (row) => lastResponse(row) ?? '',
  },
  {
    id: 'attempts',
    head: TEXTS.attempts,
    width: 90,
    align: 'end',
    phone: 'hide',
    cell: ({ attempts }) => attempts.at(-1)?.number ?? 0,
    text: ({ attempts }) => String(attempts.at(-1)?.number ?? 0),
  },
  {
    id: 'next_attempt_at',
    head: TEXTS.next,
    width: 120,
    phone: 'hide',
    cell: ({ next_attempt_at: at }) => (at === null ? <span className={styles.muted}>–</span> : <Time at={at} />),
    text: ({ next_attempt_at: at }) => at ?? '',
  },
  timeColumn({ id: 'created_at', head: TEXTS.created, phone: 'line', as: 'short', at: ({ created_at: at }) => at }),
]

function User({ row: { user_id: user, test } }: { row: OwnedDelivery }): ReactNode {
  if (user === null) return TEXTS.allUsers
  if (!test) return <span title={user}>{user}</span>
  return (
    <span className={styles.state}>
      <Tag>{TEXTS.test}</Tag>
      {user}
    </span>
  )
}

function LastResponse({ row }: { row: OwnedDelivery }): ReactNode {
  const response = lastResponse(row)
  if (response === undefined) return <span className={styles.muted}>–</span>
  return <span className={row.attempts.at(-1)?.status === null ? styles.noResponse : styles.code}>{response}</span>
}

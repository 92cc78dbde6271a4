import type { listUsers, ResponseOf, SuspensionState } from '@onward/contract'
import { formatNumber } from '../../text/format.ts'
import { Badge, Tag } from '../../ui/badge.tsx'
import { UsageBar } from '../../ui/bar.tsx'
import type { ExportedColumn } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { badgeOf, stateOf, type UserState } from './state.ts'
import styles from './user-page.module.css'
import { WORDS } from './words.ts'

type Known = ResponseOf<typeof listUsers>['users'][number]

/** A user with the usage. `current_limit` and `limit_source` are null if insights does not know the user. */
export type UserRow = Pick<Known, 'user_id' | 'tasks_consumed' | 'tasks_consumed_percent' | 'resets_at' | 'blocked_until'> & {
  readonly app_key: string
  readonly current_limit: number | null
  readonly limit_source: Known['limit_source'] | null
  readonly suspension: SuspensionState | undefined
}

/** A suspension says more than the usage, which has its own column. */
const stateOfRow = ({ suspension, current_limit, ...row }: UserRow): UserState =>
  suspension ?? stateOf({ ...row, current_limit: current_limit ?? Number.POSITIVE_INFINITY })

const { list } = WORDS

/** The columns of the list, without the column of the application. */
export const USER_COLUMNS: readonly ExportedColumn<UserRow>[] = [
  { id: 'user_id', head: list.user, width: 'grow', phone: 'title', text: ({ user_id }) => user_id },
  { id: 'state', head: list.state, width: 130, phone: 'title', cell: (row) => <Badge {...badgeOf(stateOfRow(row))} />, text: stateOfRow },
  {
    id: 'tasks_consumed_percent',
    head: list.usage,
    width: 190,
    phone: 'line',
    cell: ({ user_id, tasks_consumed, current_limit }) =>
      current_limit !== null && (
        <span className={styles.usage}>
          <UsageBar consumed={tasks_consumed} limit={current_limit} levels={[80]} label={list.usageOf(user_id)} />
        </span>
      ),
    text: (row) => String(row.tasks_consumed_percent),
  },
  {
    id: 'tasks_consumed',
    head: list.tasks,
    width: 110,
    align: 'end',
    phone: 'hide',
    cell: ({ tasks_consumed }) => formatNumber(tasks_consumed),
    text: (row) => String(row.tasks_consumed),
  },
  {
    id: 'current_limit',
    head: list.limit,
    width: 110,
    align: 'end',
    phone: 'hide',
    cell: ({ current_limit }) => current_limit !== null && formatNumber(current_limit),
    text: (row) => String(row.current_limit ?? ''),
  },
  {
    id: 'limit_source',
    head: list.source,
    width: 110,
    phone: 'hide',
    cell: ({ limit_source }) => limit_source !== null && <Tag>{WORDS.sources[limit_source]}</Tag>,
    text: (row) => row.limit_source ?? '',
  },
  {
    id: 'resets_at',
    head: list.resets,
    width: 140,
    phone: 'named',
    cell: ({ resets_at }) => (resets_at === null ? list.notBegun : <Time at={resets_at} as="short" />),
    text: (row) => row.resets_at ?? '',
  },
]

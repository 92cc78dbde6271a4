import { firstUuidAt } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** How many tasks occurred in an hour, and the xor of their ids as 128 binary digits: two sets of tasks that agree in both are the same. */
export type Hour = { readonly hour: Date; readonly tasks: number; readonly bits: string }

/** Ids are made a moment before the call is noted, by another clock. */
export const ID_SLACK_MS = 3_600_000

/** The hours in which calls occurred that count, from `since` to before `until`. */
export async function readCallHours(db: Db, since: Date, until: Date): Promise<Hour[]> {
  const { rows } = await sql<Hour>`
    select date_trunc('hour', occurred_at, 'UTC') as hour, count(*)::int as tasks,
      bit_xor(('x' || translate(call_id::text, '-', ''))::bit(128))::text as bits
    from call_log
    where call_id >= ${firstUuidAt(new Date(+since - ID_SLACK_MS))}::uuid and call_id < ${firstUuidAt(new Date(+until + ID_SLACK_MS))}::uuid
      and occurred_at >= ${since} and occurred_at < ${until} and outcome <> 'unreachable' and not internal
    group by 1 order by 1`.execute(db)
  return rows
}

/** How many calls that began before a time have not ended, and when the oldest outbox row was made; null when there is none. */
export async function readPending(db: Db, until: Date): Promise<{ openCalls: number; outboxOldestAt: Date | null }> {
  const { rows } = await sql<{ openCalls: number; outboxOldestAt: Date | null }>`
    select (select count(*)::int from call_attempt where occurred_at < ${until}) as "openCalls",
      (select min(created_at) from outbox) as "outboxOldestAt"`.execute(db)
  return rows[0] ?? { openCalls: 0, outboxOldestAt: null }
}

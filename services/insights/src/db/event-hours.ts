import { firstUuidAt } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** How many tasks occurred in an hour, and the xor of their ids as 128 binary digits: two sets of tasks that agree in both are the same. */
export type Hour = { readonly hour: Date; readonly tasks: number; readonly bits: string }

/** Ids are made a moment before or after the task is noted, by another clock. */
const SLACK_MS = 3_600_000

/** The hours in which tasks occurred that are counted, or that are known and wait in quarantine, from `since` to before `until`. */
export async function readEventHours(db: Db, since: Date, until: Date): Promise<Hour[]> {
  const [first, end] = [firstUuidAt(new Date(+since - SLACK_MS)), firstUuidAt(new Date(+until + SLACK_MS))]
  const { rows } = await sql<Hour>`
    with known as (
      select id, occurred_at from task_event
      where id >= ${first}::uuid and id < ${end}::uuid and occurred_at >= ${since} and occurred_at < ${until}
      union all
      select * from (
        select distinct on (event_id) event_id, occurred_at from quarantine q
        where event_id >= ${first}::uuid and event_id < ${end}::uuid and occurred_at >= ${since} and occurred_at < ${until}
          and not exists (select from task_event e where e.id = q.event_id)
        order by event_id, q.id
      ) kept
    )
    select date_trunc('hour', occurred_at, 'UTC') as hour, count(*)::int as tasks,
      bit_xor(('x' || translate(id::text, '-', ''))::bit(128))::text as bits
    from known group by 1 order by 1`.execute(db)
  return rows
}

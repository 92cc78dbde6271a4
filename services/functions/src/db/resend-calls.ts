import { firstUuidAt } from '@onward/runtime'
import { sql } from 'kysely'
import { ID_SLACK_MS } from './call-hours.ts'
import { outboxOf } from './record-calls.ts'
import type { Db } from './tables.ts'

export type Span = { readonly since: Date; readonly until: Date }

/** Puts up to `most` logged calls of a span that count into the outbox once more, from after the call `after`. Gives their number and the last one. */
export async function resendCalls(
  db: Db,
  { since, until }: Span,
  after: string | null,
  most: number,
  batchMax: number,
): Promise<{ tasks: number; last: string | null; sentAt: Date }> {
  const from = after === null ? sql`call_id >= ${firstUuidAt(new Date(+since - ID_SLACK_MS))}::uuid` : sql`call_id > ${after}::uuid`
  const { rows } = await sql<{ tasks: number; last: string | null; sentAt: Date }>`
    with again as (
      select call_id, app_key, user_id, function_name, occurred_at from call_log
      where ${from} and call_id < ${firstUuidAt(new Date(+until + ID_SLACK_MS))}::uuid
        and occurred_at >= ${since} and occurred_at < ${until} and outcome <> 'unreachable' and not internal
      order by call_id limit ${most}
    ), queued as (${outboxOf(sql`select * from again`, batchMax)})
    select count(*)::int as tasks, (select call_id from again order by call_id desc limit 1) as last, now() as "sentAt" from again`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate gave no row')
  return row
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** What came of one attempt: a status, or why there was none; and what follows for its delivery. */
export type Attempt = {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
  readonly outcome: 'delivered' | 'retry' | 'failed'
  /** Until the next attempt; 0 unless the outcome is `retry`. */
  readonly delayMs: number
}

const EXHAUSTED = 'the last attempt failed'

/**
 * Records attempts of different deliveries with what follows from them. An attempt whose number another process has recorded is left
 * out, unless it delivered: then it counts as the next one. A delivery that was given up while it was under way can still arrive.
 */
export async function recordAttempts(tx: Db, made: readonly Attempt[]): Promise<void> {
  await sql`
    with made as (
      select made.* from unnest(
        ${made.map((each) => each.deliveryId)}::uuid[], ${made.map((each) => each.number)}::int[],
        ${made.map((each) => each.startedAt)}::timestamptz[], ${made.map((each) => each.durationMs)}::int[],
        ${made.map((each) => each.status)}::int[], ${made.map((each) => each.failure)}::text[],
        ${made.map((each) => each.outcome)}::text[], ${made.map((each) => each.delayMs)}::float8[]
      ) as made(id, number, started_at, duration_ms, status, failure, outcome, delay_ms)
      join delivery d on d.id = made.id
      order by made.id for update of d
    ), recorded as (
      update delivery d set
        attempts = d.attempts + 1, claimed_until = null,
        delivered_at = case when outcome = 'delivered' then now() end,
        failed_at = case outcome when 'delivered' then null when 'failed' then coalesce(d.failed_at, now()) else d.failed_at end,
        failed_reason = case outcome when 'delivered' then null when 'failed' then coalesce(d.failed_reason, ${EXHAUSTED}) else d.failed_reason end,
        next_attempt_at = case when outcome = 'retry' then now() + delay_ms * interval '1 millisecond' else d.next_attempt_at end
      from made
      where d.id = made.id and d.delivered_at is null and (d.attempts = made.number - 1 or made.outcome = 'delivered')
      returning d.id, d.attempts, made.started_at, made.duration_ms, made.status, made.failure
    )
    insert into delivery_attempt (delivery_id, number, started_at, duration_ms, status, failure)
    select id, attempts, started_at, duration_ms, status, failure from recorded`.execute(tx)
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** Notes that events which occurred before a time may be gone from now on. Waits for who is counting them. */
export async function moveKeptSince(db: Db, before: Date): Promise<void> {
  await sql`update event_retention set kept_since = ${before} where kept_since < ${before}`.execute(db)
}

/** Since when all events are there, in ms since 1970, and stay so until the transaction ends. −Infinity: since ever. */
export async function holdKeptSince(tx: Db): Promise<number> {
  const { rows } = await sql<{ kept_since: Date | number }>`select kept_since from event_retention for share`.execute(tx)
  return Number(rows[0]?.kept_since ?? Number.NEGATIVE_INFINITY)
}

/** The longest limit period that any application has or had, in days. */
export async function longestPeriod(db: Db): Promise<number> {
  const { rows } = await sql<{ days: number | null }>`
    select max((period->>'days')::int) as days from application, jsonb_array_elements(limit_periods) period`.execute(db)
  return rows[0]?.days ?? 0
}

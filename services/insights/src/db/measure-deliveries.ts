import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** How many deliveries are due while nobody has them in hand, and for how long the oldest of them has been, in seconds. */
export async function measureDeliveries(db: Db): Promise<{ due: number; oldestSeconds: number }> {
  const { rows } = await sql<{ due: number; oldestSeconds: number }>`
    select count(*)::int as due, coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 as "oldestSeconds" from delivery
    where delivered_at is null and failed_at is null and next_attempt_at <= now() and (claimed_until is null or claimed_until < now())`.execute(
    db,
  )
  return rows[0] ?? { due: 0, oldestSeconds: 0 }
}

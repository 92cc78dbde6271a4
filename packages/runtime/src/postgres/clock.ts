import { type QueryExecutorProvider, sql } from 'kysely'
import type { Log } from '../log.ts'
import { type Metrics, openGauge } from '../metrics.ts'

/** A reading that took longer is not used. */
const EXACT_MS = 1_000

/** Adds the gauge `onward_clock_skew_seconds`. Sessions, links and leases compare times of this process with times of Postgres. */
export function measureClock(metrics: Metrics, db: QueryExecutorProvider, log: Log): void {
  async function readSkew(): Promise<number | undefined> {
    const before = Date.now()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const after = Date.now()
    // The query may have waited for a connection, so the time at which Postgres read its clock is uncertain.
    if (rows[0] === undefined || after - before > EXACT_MS) return undefined
    return ((before + after) / 2 - +rows[0].now) / 1_000
  }
  const help = 'How far the clock of this process is ahead of the clock of Postgres.'
  openGauge(metrics, { name: 'onward_clock_skew_seconds', help }, readSkew, log)
}

import type { Context } from '../context.ts'
import { insertQuarantine } from '../db/quarantine.ts'
import { countSplitting } from './count-splitting.ts'
import { readJob } from './read-job.ts'
import { sendDue } from './send-due.ts'

/**
 * Counts a job's events, each once however often it comes. What can't be counted is kept in quarantine.
 * Throws when the database is away: then the job comes again.
 */
export async function ingest(ctx: Context, jobId: string, data: unknown): Promise<void> {
  const { good, bad } = readJob(data)
  const { counted, repeated, conflicting, rejected, due } = await countSplitting(ctx.db, good)
  const events = (data as { events?: unknown[] } | null | undefined)?.events
  const kept = await insertQuarantine(ctx.db, jobId, [...bad, ...rejected.map((each) => ({ ...each, event: events?.[each.position] }))])
  await sendDue(ctx, due)
  ctx.counters.counted.inc(counted)
  ctx.counters.repeated.inc(repeated)
  ctx.counters.conflicting.inc(conflicting)
  ctx.counters.quarantined.inc(kept)
}

import { openBatch } from '@onward/runtime'
import type { Context } from '../context.ts'
import { insertQuarantine } from '../db/quarantine.ts'
import type { Counted } from './count.ts'
import { countSplitting } from './count-splitting.ts'
import { type Incoming, readJob } from './read-job.ts'
import { sendDue } from './send-due.ts'

/**
 * Counts a job's events, each once however often it comes. What can't be counted is kept in quarantine.
 * Throws when the database is away: then the job comes again.
 */
export type Ingest = (jobId: string, data: unknown) => Promise<void>

/** Jobs that are counted in one transaction. */
export const MOST_JOBS = 8

type Work = { readonly events: readonly Incoming[]; rejected: Counted['rejected'] }

/**
 * Jobs that come while others are being counted share the next transaction: many small ones, of one busy user say, would wait for
 * each other's locks.
 */
export function openIngest(ctx: Context): Ingest {
  const counting = openBatch<Work>(MOST_JOBS, async (jobs) => {
    const all = jobs.flatMap(({ events }) => events)
    const { counted, repeated, conflicting, rejected, due } = await countSplitting(ctx.db, all)
    for (const job of jobs) {
      const own = new Set(rejected.length > 0 ? job.events : [])
      job.rejected = rejected.filter(({ event }) => own.has(event))
    }
    await sendDue(ctx, due)
    ctx.counters.counted.inc(counted)
    ctx.counters.repeated.inc(repeated)
    ctx.counters.conflicting.inc(conflicting)
  })

  return async (jobId, data) => {
    const { good, bad } = readJob(data)
    const work: Work = { events: good, rejected: [] }
    if (good.length > 0) await counting.add(work)
    const events = (data as { events?: unknown[] } | null | undefined)?.events
    const refused = work.rejected.map(({ event: { position }, reason }) => ({ position, reason, event: events?.[position] }))
    ctx.counters.quarantined.inc(await insertQuarantine(ctx.db, jobId, [...bad, ...refused]))
  }
}

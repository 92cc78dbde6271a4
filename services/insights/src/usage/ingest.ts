import type { Context } from '../context.ts'
import { insertQuarantine } from '../db/quarantine.ts'
import type { Db } from '../db/tables.ts'
import { enqueueDeliveries } from '../events/enqueue.ts'
import { type Counted, countEvents } from './count.ts'
import { type Incoming, readJob } from './read-job.ts'

/**
 * Counts a job's events, each once however often it comes. What can't be counted is kept in quarantine.
 * Throws when the database is away: then the job comes again.
 */
export async function ingest(ctx: Context, jobId: string, data: unknown): Promise<void> {
  const { good, bad } = readJob(data)
  const { counted, repeated, conflicting, rejected, due } = await countSplitting(ctx.db, good)
  const events = (data as { events?: unknown[] } | null | undefined)?.events
  const kept = await insertQuarantine(ctx.db, jobId, [...bad, ...rejected.map((each) => ({ ...each, event: events?.[each.position] }))])
  await enqueueDeliveries(ctx, due)
  ctx.counters.counted.inc(counted)
  ctx.counters.repeated.inc(repeated)
  ctx.counters.conflicting.inc(conflicting)
  ctx.counters.quarantined.inc(kept)
}

/** Halves a batch that the database refuses for its data, until the event that is to blame stands alone. */
async function countSplitting(db: Db, events: readonly Incoming[]): Promise<Counted> {
  const [only] = events
  if (only === undefined) return { counted: 0, repeated: 0, conflicting: 0, rejected: [], due: [] }
  try {
    return await db.transaction().execute((tx) => countEvents(tx, events))
  } catch (err) {
    if (!isDataError(err)) throw err
    if (events.length === 1) {
      const rejected = [{ position: only.position, reason: `the database refuses it: ${(err as Error).message}` }]
      return { counted: 0, repeated: 0, conflicting: 0, rejected, due: [] }
    }
    const middle = Math.ceil(events.length / 2)
    return sum(await countSplitting(db, events.slice(0, middle)), await countSplitting(db, events.slice(middle)))
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
function isDataError(err: unknown): boolean {
  const code = (err as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code)
}

function sum(a: Counted, b: Counted): Counted {
  return {
    counted: a.counted + b.counted,
    repeated: a.repeated + b.repeated,
    conflicting: a.conflicting + b.conflicting,
    rejected: [...a.rejected, ...b.rejected],
    due: [...a.due, ...b.due],
  }
}

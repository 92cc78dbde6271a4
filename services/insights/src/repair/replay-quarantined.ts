import type { Context } from '../context.ts'
import { deleteQuarantine, insertQuarantine, type Quarantined, renewReasons } from '../db/quarantine.ts'
import { countSplitting } from '../usage/count-splitting.ts'
import { readJob } from '../usage/read-job.ts'
import { sendDue } from '../usage/send-due.ts'

/** What became of the events: counted now, counted already, or still refused. */
export type Replayed = { readonly counted: number; readonly repeated: number; readonly refused: number }

/**
 * Counts up to 500 of what is in quarantine as if it came in a job now. What is still refused stays and tells the reason of today. A job
 * that was kept whole is taken apart where that is possible. Safe to repeat: what was counted before counts as repeated.
 */
export async function replayQuarantined(ctx: Context, kept: readonly Quarantined[]): Promise<Replayed> {
  const results: Replayed[] = []
  const events = kept.filter(({ whole }) => !whole)
  if (events.length > 0) results.push(await replayEvents(ctx, events))
  for (const job of kept.filter(({ whole }) => whole)) results.push(await replayJob(ctx, job))
  const total = (name: keyof Replayed) => results.reduce((sum, result) => sum + result[name], 0)
  return { counted: total('counted'), repeated: total('repeated'), refused: total('refused') }
}

async function replayEvents(ctx: Context, kept: readonly Quarantined[]): Promise<Replayed> {
  const { counts, reasons } = await count(ctx, { events: kept.map(({ event }) => JSON.parse(event)) })
  const renewed = new Map(kept.flatMap(({ id }, position) => (reasons.has(position) ? [[id, reasons.get(position) as string]] : [])))
  await renewReasons(ctx.db, renewed)
  await deleteQuarantine(
    ctx.db,
    kept.map(({ id }) => id).filter((id) => !renewed.has(id)),
  )
  return counts
}

async function replayJob(ctx: Context, { id, jobId, event }: Quarantined): Promise<Replayed> {
  const data = JSON.parse(event)
  const { counts, reasons } = await count(ctx, data)
  const whole = reasons.get(-1)
  if (whole !== undefined) {
    await renewReasons(ctx.db, new Map([[id, whole]]))
    return counts
  }
  await insertQuarantine(
    ctx.db,
    jobId,
    [...reasons].map(([position, reason]) => ({ position, event: data.events[position], reason })),
  )
  await deleteQuarantine(ctx.db, [id])
  return counts
}

/** `reasons` tells by position why events, or −1 the whole job, can't be counted. */
async function count(ctx: Context, data: unknown): Promise<{ counts: Replayed; reasons: Map<number, string> }> {
  const { good, bad } = readJob(data)
  const { counted, repeated, conflicting, rejected, due } = await countSplitting(ctx.db, good)
  await sendDue(ctx, due)
  ctx.counters.counted.inc(counted)
  ctx.counters.repeated.inc(repeated)
  ctx.counters.conflicting.inc(conflicting)
  const reasons = new Map(
    [...bad, ...rejected.map(({ event, reason }) => ({ ...event, reason }))].map(({ position, reason }) => [position, reason]),
  )
  return { counts: { counted, repeated, refused: reasons.size }, reasons }
}

import { deleteQuarantine, insertQuarantine, type Quarantined, updateReasons, WHOLE_JOB } from '../db/quarantine.ts'
import { countAndFollowUp, type IngestParts, readJob } from '../usage/ingest.ts'

/** Number of events that were counted now, had been counted before, or still cannot be counted. */
type Replayed = { readonly counted: number; readonly repeated: number; readonly refused: number }

/**
 * Counts up to 500 entries of quarantine as if they arrived in a job now. An entry that still cannot be counted stays, with its new reason.
 * A job that was stored whole is split into its events if possible. Safe to repeat: events that were counted before count as repeated.
 */
export async function replayQuarantine(parts: IngestParts, entries: readonly Quarantined[]): Promise<Replayed> {
  const results: Replayed[] = []
  const events = entries.filter(({ whole }) => !whole)
  if (events.length > 0) results.push(await replayEvents(parts, events))
  for (const job of entries.filter(({ whole }) => whole)) results.push(await replayJob(parts, job))
  const total = (name: keyof Replayed) => results.reduce((sum, result) => sum + result[name], 0)
  return { counted: total('counted'), repeated: total('repeated'), refused: total('refused') }
}

async function replayEvents(parts: IngestParts, entries: readonly Quarantined[]): Promise<Replayed> {
  const { counts, reasons } = await countJob(parts, { events: entries.map(({ event }) => JSON.parse(event)) })
  const refused = new Map<number, string>()
  for (const [position, { id }] of entries.entries()) {
    const reason = reasons.get(position)
    if (reason !== undefined) refused.set(id, reason)
  }
  await updateReasons(parts.db, refused)
  await deleteQuarantine(
    parts.db,
    entries.map(({ id }) => id).filter((id) => !refused.has(id)),
  )
  return counts
}

async function replayJob(parts: IngestParts, { id, jobId, event }: Quarantined): Promise<Replayed> {
  const data = JSON.parse(event)
  const { counts, reasons } = await countJob(parts, data)
  const reasonOfJob = reasons.get(WHOLE_JOB)
  if (reasonOfJob !== undefined) {
    await updateReasons(parts.db, new Map([[id, reasonOfJob]]))
    return counts
  }
  await insertQuarantine(
    parts.db,
    jobId,
    [...reasons].map(([position, reason]) => ({ position, event: data.events[position], reason })),
  )
  await deleteQuarantine(parts.db, [id])
  return counts
}

/** Counts the valid events of a job. `reasons` says why the others cannot be counted, by position in the job or for `WHOLE_JOB`. */
async function countJob(parts: IngestParts, data: unknown): Promise<{ counts: Replayed; reasons: Map<number, string> }> {
  const { valid, invalid } = readJob(data)
  const { counted, repeated, rejected } = await countAndFollowUp(parts, valid)
  const refused = [...invalid, ...rejected.map(({ event, reason }) => ({ position: event.position, reason }))]
  const reasons = new Map(refused.map(({ position, reason }) => [position, reason]))
  return { counts: { counted, repeated, refused: reasons.size }, reasons }
}

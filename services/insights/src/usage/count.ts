import { readNow } from '../db/now.ts'
import type { Db } from '../db/tables.ts'
import { insertTaskEvents, readTaskEvents } from '../db/task-events.ts'
import { settleCounted } from '../limits/settle-counted.ts'
import { addToWindows } from './add-to-windows.ts'
import { catchUp } from './catch-up.ts'
import { addDue, type Due, NOTHING_DUE } from './due.ts'
import { DAY_MS } from './period.ts'
import type { Incoming } from './read-job.ts'
import { nameOf, settleUsers } from './settle.ts'
import { tellLevels } from './tell.ts'

const MAX_AGE_MS = 35 * DAY_MS
const MAX_AHEAD_MS = 5 * 60_000

/** An event that can't be counted, and why. */
type Refused = { readonly event: Incoming; readonly reason: string }

export type Counted = {
  readonly counted: number
  readonly repeated: number
  /** Repeated ids whose content is not that of the first one. */
  readonly conflicting: number
  readonly rejected: readonly Refused[]
  readonly due: Due
}

/** Counts events in one transaction: each id once, in the window in which it occurred, with the levels that this reaches. */
export async function countEvents(tx: Db, incoming: readonly Incoming[]): Promise<Counted> {
  const now = await readNow(tx)
  const rejected = incoming.flatMap((event) => untimely(event, now))
  const timely = incoming.filter((event) => untimely(event, now).length === 0)
  if (timely.length === 0) return { counted: 0, repeated: 0, conflicting: 0, rejected, due: NOTHING_DUE }

  const settled = await settleUsers(tx, [...new Map(timely.map((event) => [nameOf(event), event])).values()])
  const { users, due: before } = await catchUp(tx, settled)
  const first = new Map(timely.toReversed().map((event) => [event.id, event]))
  const newIds = await insertTaskEvents(tx, [...first.values()])
  const fresh = [...first.values()].filter((event) => newIds.has(event.id))
  const readings = await addToWindows(tx, users, fresh)
  const subscriptions = await tellLevels(tx, readings, now)
  const states = await settleCounted(tx, users, readings, now)

  const counted = new Set(fresh)
  const repeats = timely.filter((event) => !counted.has(event))
  const conflicting = await countConflicting(tx, repeats)
  return { counted: fresh.length, repeated: repeats.length, conflicting, rejected, due: addDue(before, { subscriptions, states }) }
}

function untimely(event: Incoming, now: Date): Refused[] {
  const ageMs = now.getTime() - event.occurredAt.getTime()
  if (ageMs > MAX_AGE_MS) return [{ event, reason: 'occurred_at: is more than 35 days ago' }]
  if (ageMs < -MAX_AHEAD_MS) return [{ event, reason: 'occurred_at: is more than 5 minutes ahead' }]
  return []
}

async function countConflicting(tx: Db, repeats: readonly Incoming[]): Promise<number> {
  if (repeats.length === 0) return 0
  const stored = await readTaskEvents(
    tx,
    repeats.map((event) => event.id),
  )
  return repeats.filter((event) => {
    const kept = stored.get(event.id)
    return nameOf(event) !== (kept && nameOf(kept)) || event.functionName !== kept?.functionName || +event.occurredAt !== +kept.occurredAt
  }).length
}

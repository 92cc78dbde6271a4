import { isDataError } from '@onward/runtime'
import type { Db } from '../db/tables.ts'
import { type Counted, countEvents } from './count.ts'
import { addDue, NOTHING_DUE } from './due.ts'
import type { Incoming } from './read-job.ts'

/**
 * Events counted in one transaction: those of a full job. Each belongs to one window, which makes at most 200 deliveries (the subscription
 * events of its workspace). The worst case of 100,000 deliveries takes about five seconds.
 */
const MAX_EVENTS = 500

/**
 * Counts events, each batch in a transaction. Halves a batch that the database refuses for its data, until the event that is to blame stands
 * alone. Not one that takes too long: it waits for a lock or for a busy database, and halves would wait as long.
 */
export async function countSplitting(db: Db, events: readonly Incoming[]): Promise<Counted> {
  if (events.length > MAX_EVENTS) {
    return sum(await countSplitting(db, events.slice(0, MAX_EVENTS)), await countSplitting(db, events.slice(MAX_EVENTS)))
  }
  const [only] = events
  if (only === undefined) return { counted: 0, repeated: 0, conflicting: 0, rejected: [], due: NOTHING_DUE }
  try {
    return await db.transaction().execute((tx) => countEvents(tx, events))
  } catch (err) {
    if (!isDataError(err)) throw err
    if (events.length === 1) {
      const rejected = [{ event: only, reason: `the database refuses it: ${(err as Error).message}` }]
      return { counted: 0, repeated: 0, conflicting: 0, rejected, due: NOTHING_DUE }
    }
    const middle = Math.ceil(events.length / 2)
    return sum(await countSplitting(db, events.slice(0, middle)), await countSplitting(db, events.slice(middle)))
  }
}

function sum(a: Counted, b: Counted): Counted {
  return {
    counted: a.counted + b.counted,
    repeated: a.repeated + b.repeated,
    conflicting: a.conflicting + b.conflicting,
    rejected: [...a.rejected, ...b.rejected],
    due: addDue(a.due, b.due),
  }
}

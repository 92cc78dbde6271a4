import { uuidv7 } from '@onward/runtime'
import { insertDeliveries, type NewDelivery } from '../db/deliveries.ts'
import { type Period, setMarks } from '../db/periods.ts'
import { liveSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { levelOfEvent } from './level-of-event.ts'
import { DAY_MS } from './period.ts'
import { taskStatusWithPercents } from './status.ts'
import { moveMark, tasksAtLevel } from './threshold.ts'

/** A window with what it held before, and the limit that holds for its user. Null: nobody knows the limit yet. */
export type Reading = Period & { readonly before: number; readonly limit: number | null; readonly partnerId: string | null }

type Reached = Reading & { readonly limit: number; readonly partnerId: string; readonly from: number }

/**
 * Moves the marks of windows, and stores a delivery for each subscription and level newly reached. Whoever calls it holds the locks
 * of the users, so that no two see the same level as new. Gives the ids of the subscriptions to wake after the commit.
 */
export async function tellLevels(tx: Db, readings: readonly Reading[], now: Date): Promise<string[]> {
  const moved = readings.flatMap(move)
  if (moved.length === 0) return []
  await setMarks(tx, moved)
  const reached = moved.filter((each) => each.level > each.from)
  if (reached.length === 0) return []
  const subscriptions = await liveSubscriptions(tx, [...new Set(reached.map((each) => each.partnerId))])
  return await insertDeliveries(
    tx,
    subscriptions.flatMap((subscription) =>
      reached
        .filter((each) => each.partnerId === subscription.partnerId)
        .flatMap((each) => deliveriesOf(subscription.id, subscription.events, each, now)),
    ),
  )
}

/** The window with its mark where it belongs now; nothing when it is there already. */
function move(reading: Reading): Reached[] {
  const { limit, partnerId } = reading
  if (limit === null || partnerId === null) return []
  const { mark, from } = moveMark(reading, reading.before, reading.consumed, limit)
  if (mark.level === reading.level && mark.armSeq === reading.armSeq) return []
  return [{ ...reading, level: mark.level, armSeq: mark.armSeq, limit, partnerId, from }]
}

function deliveriesOf(subscriptionId: string, events: readonly string[], reached: Reached, now: Date): NewDelivery[] {
  const due = events.filter((event) => levelOfEvent(event) > reached.from && levelOfEvent(event) <= reached.level)
  if (due.length === 0) return []
  const days = Math.round((reached.endsAt.getTime() - reached.startsAt.getTime()) / DAY_MS)
  return due.map((eventName) => {
    const level = levelOfEvent(eventName)
    // What the user had consumed when it reached the level: by its tasks, however many were counted at once, or by a limit that was set.
    // A limit set after a window has ended says nothing of it until a late task is counted: then that task reached the level.
    const consumed = Math.min(reached.consumed, Math.max(reached.before + 1, tasksAtLevel(level, reached.limit)))
    return {
      id: uuidv7(),
      subscriptionId,
      appKey: reached.appKey,
      userId: reached.userId,
      periodStart: reached.startsAt,
      level,
      armSeq: reached.armSeq,
      eventName,
      body: JSON.stringify(taskStatusWithPercents({ ...reached, consumed, days }, now)),
    }
  })
}

import { uuidv7 } from '@onward/runtime'
import { insertDeliveries, type NewDelivery } from '../db/deliveries.ts'
import { type Period, setMarks } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { type Listened, readListeners } from './listeners.ts'
import { DAY_MS } from './period.ts'
import { taskStatusWithPercents } from './status.ts'
import { moveMark, tasksAtLevel } from './threshold.ts'

/**
 * A window with what it held before, and the limit that holds for its user; null: nobody knows the limit yet. What brought it there came after
 * the partner's change of limits with the number `seq`, and before the next one: subscriptions of then are told.
 */
export type Reading = Period & {
  readonly before: number
  readonly limit: number | null
  readonly partnerId: string | null
  readonly seq: number
}

type Reached = Reading & { readonly limit: number; readonly partnerId: string; readonly from: number }

/** Deliveries that one transaction makes at most. They take about a second, and tasks of the same users wait that long. */
export const MAX_DELIVERIES = 20_000
const MAX_USERS = 500

/**
 * Number of users whose levels one transaction may check. A user makes at most one delivery per subscription event and limit change.
 * A workspace has at most 200 subscription events and 100 pending limit changes, so even then one user makes no more than 20,000.
 */
export function usersPerTransaction(subscriptionEvents: number, limitChanges: number): number {
  const perUser = subscriptionEvents * limitChanges
  return perUser === 0 ? MAX_USERS : Math.max(1, Math.min(MAX_USERS, Math.floor(MAX_DELIVERIES / perUser)))
}

/**
 * Moves the marks of windows, and stores a delivery for each subscription and level newly reached. Returns the ids of the subscriptions to
 * wake after the commit. The caller must hold the locks of the users, so that no two transactions see the same level as new.
 */
export async function tellLevels(tx: Db, readings: readonly Reading[], now: Date): Promise<readonly string[]> {
  const moved = readings.flatMap(move)
  if (moved.length === 0) return []
  const reached = moved.filter((each) => each.level > each.from)
  const heard = await withListened(tx, reached)
  await setMarks(tx, moved)
  return await insertDeliveries(tx, deliveriesOf(heard, now))
}

/** The window with its mark where it belongs now; nothing when it is there already. */
function move(reading: Reading): Reached[] {
  const { limit, partnerId } = reading
  if (limit === null || partnerId === null) return []
  const { mark, from } = moveMark(reading, reading.before, reading.consumed, limit)
  if (mark.level === reading.level && mark.armSeq === reading.armSeq) return []
  return [{ ...reading, level: mark.level, armSeq: mark.armSeq, limit, partnerId, from }]
}

type Heard = { readonly reached: Reached; readonly listened: readonly Listened[] }

/** The windows with the levels newly reached in them that somebody listens to. */
async function withListened(tx: Db, all: readonly Reached[]): Promise<Heard[]> {
  if (all.length === 0) return []
  const listeners = await readListeners(tx, new Map(all.map(({ partnerId, seq }) => [partnerId, seq])))
  return all.map((reached) => ({
    reached,
    listened: (listeners.get(reached.partnerId) ?? []).filter(({ level }) => level > reached.from && level <= reached.level),
  }))
}

function* deliveriesOf(heard: readonly Heard[], now: Date): Generator<NewDelivery> {
  for (const { reached, listened } of heard) {
    const { appKey, userId, startsAt: periodStart, armSeq } = reached
    for (const { level, eventName, subscriptionIds } of listened) {
      const body = bodyOf(reached, level, now)
      for (const subscriptionId of subscriptionIds) {
        yield { id: uuidv7(), subscriptionId, appKey, userId, periodStart, level, armSeq, eventName, body }
      }
    }
  }
}

function bodyOf(reached: Reached, level: number, now: Date): string {
  const days = Math.round((reached.endsAt.getTime() - reached.startsAt.getTime()) / DAY_MS)
  // What the user had consumed when it reached the level: by its tasks, however many were counted at once, or by a limit that was set.
  // A limit set after a window has ended says nothing of it until a late task is counted: then that task reached the level.
  const consumed = Math.min(reached.consumed, Math.max(reached.before + 1, tasksAtLevel(level, reached.limit)))
  return JSON.stringify(taskStatusWithPercents({ ...reached, consumed, days }, now))
}

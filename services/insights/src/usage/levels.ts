import { uuidv7 } from '@onward/runtime'
import { insertDeliveries, type NewDelivery, readSubscribedKinds } from '../db/deliveries.ts'
import { type Period, setLevels } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { daysOf, taskStatusWithPercents } from '../rules/status.ts'
import { moveLevel, tasksAtLevel } from '../rules/threshold.ts'
import { levelOfKind } from '../webhooks/kinds.ts'

/**
 * A period whose level may have moved. `before` is what was consumed in it before. `limit` is null while the application belongs to no
 * workspace. Subscriptions count as created before the limit change that follows `seq`.
 */
export type CheckedPeriod = Period & {
  readonly before: number
  readonly limit: number | null
  readonly workspaceId: string | null
  readonly seq: number
}

/** Deliveries that one transaction creates at most. They take about a second, and tasks of the same users wait that long. */
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
 * Stores the levels of periods, and a delivery for each subscription to a level that was newly reached. Returns the ids of the subscriptions to
 * wake after the commit. The users must be locked, so that no other transaction sees the same level as new.
 */
export async function announceLevels(tx: Db, periods: readonly CheckedPeriod[], now: Date): Promise<readonly string[]> {
  const moved = periods.flatMap(move)
  if (moved.length === 0) return []
  const subscribed = await withSubscriptions(
    tx,
    moved.filter((each) => each.level > each.from),
  )
  await setLevels(tx, moved)
  return await insertDeliveries(tx, deliveriesOf(subscribed, now))
}

/** A period with its new level. Levels above `from` are newly reached. */
type MovedPeriod = CheckedPeriod & { readonly limit: number; readonly workspaceId: string; readonly from: number }

/** Returns nothing when the level does not move. */
function move(period: CheckedPeriod): MovedPeriod[] {
  const { limit, workspaceId } = period
  if (limit === null || workspaceId === null) return []
  const { reached, from } = moveLevel(period, period.before, period.consumed, limit)
  if (reached.level === period.level && reached.armSeq === period.armSeq) return []
  return [{ ...period, level: reached.level, armSeq: reached.armSeq, limit, workspaceId, from }]
}

type SubscribedLevel = { readonly level: number; readonly kind: string; readonly subscriptionIds: readonly string[] }
type SubscribedPeriod = { readonly period: MovedPeriod; readonly levels: readonly SubscribedLevel[] }

/** Returns each period with its newly reached levels that have subscriptions, lowest first. */
async function withSubscriptions(tx: Db, periods: readonly MovedPeriod[]): Promise<SubscribedPeriod[]> {
  if (periods.length === 0) return []
  const levels = new Map<string, SubscribedLevel[]>(periods.map(({ workspaceId }) => [workspaceId, []]))
  const limitSeqs = new Map(periods.map(({ workspaceId, seq }) => [workspaceId, seq]))
  for (const { workspaceId, kind, subscriptionIds } of await readSubscribedKinds(tx, limitSeqs)) {
    const level = levelOfKind(kind)
    if (level !== null) levels.get(workspaceId)?.push({ level, kind, subscriptionIds })
  }
  for (const ofWorkspace of levels.values()) ofWorkspace.sort((a, b) => a.level - b.level)
  return periods.map((period) => ({
    period,
    levels: (levels.get(period.workspaceId) ?? []).filter(({ level }) => level > period.from && level <= period.level),
  }))
}

function* deliveriesOf(subscribed: readonly SubscribedPeriod[], now: Date): Generator<NewDelivery> {
  for (const { period, levels } of subscribed) {
    const { appKey, userId, startsAt: periodStart, armSeq } = period
    for (const { level, kind, subscriptionIds } of levels) {
      const payload = payloadOf(period, level, now)
      for (const subscriptionId of subscriptionIds) {
        yield { id: uuidv7(), subscriptionId, kind, payload, appKey, userId, reached: { periodStart, level, armSeq } }
      }
    }
  }
}

/** The status of the user at the moment at which the level was reached, even if more tasks were counted at once. */
function payloadOf(period: MovedPeriod, level: number, now: Date): string {
  // A limit that is set after the end of a period has no effect on it until a late task is counted: then that task reached the level.
  const consumed = Math.min(period.consumed, Math.max(period.before + 1, tasksAtLevel(level, period.limit)))
  return JSON.stringify(taskStatusWithPercents({ ...period, consumed, days: daysOf(period) }, now))
}

import { uuidv7 } from '@onward/runtime'
import { insertDeliveries, type NewDelivery, readSubscribedKinds } from '../db/deliveries.ts'
import { setLevels, type UsagePeriod } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { daysOf, taskStatusWithPercents } from '../rules/status.ts'
import { moveLevel, tasksAtLevel } from '../rules/threshold.ts'
import { levelOfKind } from '../webhooks/kinds.ts'

/** A period to check for newly reached levels. */
export type CheckedPeriod = UsagePeriod & {
  /** Number of tasks that were consumed in the period before this transaction. */
  readonly consumedBefore: number
  /** Null while the application belongs to no workspace. */
  readonly limit: number | null
  readonly workspaceId: string | null
  /** Only subscriptions that were active when the workspace had this `limit_seq` receive deliveries. */
  readonly limitSeq: number
  /** The trace of a task that is counted now; undefined if none belongs to a trace, or none is counted. */
  readonly trace?: string | undefined
}

/**
 * Maximum number of deliveries in a transaction that changes limits. Creating them takes about a second, during which tasks of the same
 * users wait.
 */
export const MAX_DELIVERIES = 20_000

/** How many more deliveries a transaction may create. */
export type DeliveryQuota = { left: number }

/** A transaction would create more deliveries than its quota. */
export class TooManyDeliveries extends Error {}

/**
 * Stores the levels of periods, and a delivery for each subscription to a newly reached level. Returns the ids of the subscriptions to wake
 * after the commit. The users must be locked, so that no other transaction announces the same level. Throws `TooManyDeliveries`.
 */
export async function announceLevels(
  tx: Db,
  periods: readonly CheckedPeriod[],
  now: Date,
  quota?: DeliveryQuota,
): Promise<readonly string[]> {
  const changed = periods.flatMap(withNewLevel)
  if (changed.length === 0) return []
  const subscribed = await withSubscriptions(
    tx,
    changed.filter((each) => each.level > each.from),
  )
  if (quota !== undefined) {
    quota.left -= subscribed.flatMap(({ levels }) => levels).reduce((sum, { subscriptionIds }) => sum + subscriptionIds.length, 0)
    if (quota.left < 0) throw new TooManyDeliveries()
  }
  await setLevels(tx, changed)
  return await insertDeliveries(tx, deliveriesOf(subscribed, now))
}

/** A period with its new level. The levels above `from`, up to the new one, are newly reached. */
type ChangedPeriod = CheckedPeriod & { readonly limit: number; readonly workspaceId: string; readonly from: number }

/** Returns the period with its new level, or [] when its level does not change. */
function withNewLevel(period: CheckedPeriod): ChangedPeriod[] {
  const { limit, workspaceId } = period
  if (limit === null || workspaceId === null) return []
  const { reached, from } = moveLevel(period, period.consumedBefore, period.consumed, limit)
  if (reached.level === period.level && reached.timesLowered === period.timesLowered) return []
  return [{ ...period, level: reached.level, timesLowered: reached.timesLowered, limit, workspaceId, from }]
}

type SubscribedLevel = { readonly level: number; readonly kind: string; readonly subscriptionIds: readonly string[] }
type SubscribedPeriod = { readonly period: ChangedPeriod; readonly levels: readonly SubscribedLevel[] }

/** Returns each period with its newly reached levels that have subscriptions, lowest first. */
async function withSubscriptions(tx: Db, periods: readonly ChangedPeriod[]): Promise<SubscribedPeriod[]> {
  if (periods.length === 0) return []
  const levels = new Map<string, SubscribedLevel[]>(periods.map(({ workspaceId }) => [workspaceId, []]))
  const limitSeqs = new Map(periods.map(({ workspaceId, limitSeq }) => [workspaceId, limitSeq]))
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
    const { appKey, userId, startsAt: periodStart, timesLowered, trace } = period
    for (const { level, kind, subscriptionIds } of levels) {
      const payload = payloadOf(period, level, now)
      for (const subscriptionId of subscriptionIds) {
        yield { id: uuidv7(), subscriptionId, kind, payload, appKey, userId, reached: { periodStart, level, timesLowered }, trace }
      }
    }
  }
}

/** Returns the status of the user at the task that reached the level, even if later tasks were counted in the same transaction. */
function payloadOf(period: ChangedPeriod, level: number, now: Date): string {
  // If the limit was lowered after the end of the period, `consumedBefore` can already be above the threshold. Then the first task that is
  // counted now has reached the level.
  const consumed = Math.min(period.consumed, Math.max(period.consumedBefore + 1, tasksAtLevel(level, period.limit)))
  return JSON.stringify(taskStatusWithPercents({ ...period, consumed, days: daysOf(period) }, now))
}

import type { CurrentUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import { type Due, NOTHING_DUE } from './due.ts'
import type { BulkLimit } from './limit.ts'
import { effectiveLimit } from './limit.ts'
import { tellLevels } from './tell.ts'

/** Looks at the current windows of locked users after their limit, or what happens at it, may have changed: levels, and who is blocked. */
export async function recheckLevels(tx: Db, usages: readonly CurrentUsage[], partner: BulkLimit & { readonly id: string }): Promise<Due> {
  const [first] = usages
  if (first === undefined) return NOTHING_DUE
  const readings = usages.flatMap((usage) => {
    if (usage.period === null) return []
    return [{ ...usage.period, before: usage.period.consumed, limit: effectiveLimit(usage, partner), partnerId: partner.id }]
  })
  return { subscriptions: await tellLevels(tx, readings, first.now), states: await settleLimitStates(tx, usages) }
}

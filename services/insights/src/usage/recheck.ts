import type { CurrentUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import { type Due, NOTHING_DUE } from './due.ts'
import type { BulkLimit } from './limit.ts'
import { effectiveLimit } from './limit.ts'
import { readingsSince } from './readings-since.ts'
import { tellLevels } from './tell.ts'

/** Looks at the windows of locked users after their limit, or what happens at it, may have changed: levels, and who is blocked. */
export async function recheckLevels(
  tx: Db,
  usages: readonly CurrentUsage[],
  partner: BulkLimit & { readonly id: string; readonly limitSeq: number },
): Promise<Due> {
  const [first] = usages
  if (first === undefined) return NOTHING_DUE
  const changed = usages.map((usage) => ({ ...usage, limit: effectiveLimit(usage, partner) }))
  const readings = await readingsSince(tx, changed, { id: partner.id, seq: partner.limitSeq }, first.now)
  const subscriptions = await tellLevels(tx, readings, first.now)
  return { subscriptions, states: await settleLimitStates(tx, usages) }
}

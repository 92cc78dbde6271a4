import type { CurrentUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import type { BulkLimit } from './limit.ts'
import { effectiveLimit } from './limit.ts'
import { tellLevels } from './tell.ts'

/** Looks at the current windows of locked users after their limit may have changed. Gives the ids of deliveries to be sent after the commit. */
export async function recheckLevels(
  tx: Db,
  usages: readonly CurrentUsage[],
  partner: BulkLimit & { readonly id: string },
): Promise<string[]> {
  const [first] = usages
  if (first === undefined) return []
  const readings = usages.flatMap((usage) => {
    if (usage.period === null) return []
    return [{ ...usage.period, before: usage.period.consumed, limit: effectiveLimit(usage, partner), partnerId: partner.id }]
  })
  return await tellLevels(tx, readings, first.now)
}

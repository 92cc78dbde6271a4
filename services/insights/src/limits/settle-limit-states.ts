import { readEnforced } from '../db/applications.ts'
import { changeLimitStates, type LimitState } from '../db/limit-states.ts'
import type { CurrentUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { effectiveLimit } from '../usage/limit.ts'
import { blockedUntil } from './blocked-until.ts'

/** Blocks and unblocks locked users as their limit, their window and their application say now. Gives what changed, to be published after the commit. */
export async function settleLimitStates(tx: Db, usages: readonly CurrentUsage[]): Promise<LimitState[]> {
  const applications = await readEnforced(tx, [...new Set(usages.map((usage) => usage.appKey))])
  if (applications.size === 0) return []
  const wanted = usages.flatMap((usage) => {
    const application = applications.get(usage.appKey)
    if (application === undefined) return []
    const { appKey, userId } = usage
    const until = blockedUntil(usage, effectiveLimit(usage, application), application)
    return [{ appKey, userId, blockedUntil: until, begun: usage.anchor !== null }]
  })
  return await changeLimitStates(tx, wanted)
}

import { nextLimitSeq } from '../db/partners.ts'
import { readUsages } from '../db/periods.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockUsers, setOwnLimits } from '../db/users.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import { addChange } from './add-change.ts'
import { catchUp } from './catch-up.ts'
import { addDue, type Due } from './due.ts'
import { recheckLevels } from './recheck.ts'
import { MAX_DELIVERIES } from './tell.ts'
import { withOwners } from './with-owners.ts'

/**
 * Sets the own limits of users, all or none, and creates users who are not known yet. Checks their levels at once. If that could create too
 * many deliveries for one transaction, a limit change checks them in the background. Throws `too_many_changes` (429).
 */
export async function setLimits(db: Db, partnerId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<Due> {
  return await db.transaction().execute(async (tx) => {
    const partner = await nextLimitSeq(tx, partnerId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: partner.limitSeq }))
    const { due } = await catchUp(tx, await withOwners(tx, await lockUsers(tx, users)))
    await setOwnLimits(tx, users)
    const usages = await readUsages(tx, users)
    const { events } = await countSubscriptions(tx, partnerId)
    if (users.length * events <= MAX_DELIVERIES) return addDue(due, await recheckLevels(tx, usages, partner))
    const { limitSeq } = await nextLimitSeq(tx, partnerId)
    await addChange(tx, partnerId, { limit: null, limitSeq })
    return addDue(due, { subscriptions: [], states: await settleLimitStates(tx, usages) })
  })
}

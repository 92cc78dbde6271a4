import { nextLimitSeq } from '../db/partners.ts'
import { readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { lockUsers, setOwnLimits } from '../db/users.ts'
import { catchUp } from './catch-up.ts'
import { addDue, type Due } from './due.ts'
import { recheckLevels } from './recheck.ts'
import { withOwners } from './with-owners.ts'

/**
 * Sets the own limits of users, whom it creates where they are not known yet, and looks at their levels at once.
 * All or none.
 */
export async function setLimits(db: Db, partnerId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<Due> {
  return await db.transaction().execute(async (tx) => {
    const partner = await nextLimitSeq(tx, partnerId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: partner.limitSeq }))
    const { due } = await catchUp(tx, await withOwners(tx, await lockUsers(tx, users)))
    await setOwnLimits(tx, users)
    return addDue(due, await recheckLevels(tx, await readUsages(tx, users), partner))
  })
}

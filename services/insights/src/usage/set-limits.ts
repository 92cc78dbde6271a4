import { nextLimitSeq } from '../db/partners.ts'
import { readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { setOwnLimits } from '../db/users.ts'
import { recheckLevels } from './recheck.ts'

/**
 * Sets the own limits of users, whom it creates where they are not known yet, and looks at their levels at once.
 * All or none. Gives the ids of deliveries to be sent.
 */
export async function setLimits(db: Db, partnerId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    const partner = await nextLimitSeq(tx, partnerId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: partner.limitSeq }))
    await setOwnLimits(tx, users)
    return await recheckLevels(tx, await readUsages(tx, users), partner)
  })
}

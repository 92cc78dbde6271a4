import { Refusal } from '@onward/runtime'
import { nextLimitSeq } from '../db/partners.ts'
import { readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { lockUsers, setOwnLimits } from '../db/users.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import { addChange, RETRY_AFTER_SECONDS } from './add-change.ts'
import { catchUp } from './catch-up.ts'
import { addDue, type Due } from './due.ts'
import { recheckLevels } from './recheck.ts'
import { mostDeliveries, TooManyDeliveries } from './too-many-deliveries.ts'
import { withOwners } from './with-owners.ts'

/**
 * Sets the own limits of users, whom it creates where they are not known yet. All or none. Looks at their levels at once; when that would
 * make too many deliveries they follow in the background, as those of a limit of all users. Throws `too_many_changes` (429) when changes
 * that are on their way to the users already would make too many.
 */
export async function setLimits(db: Db, partnerId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<Due> {
  return await db.transaction().execute(async (tx) => {
    const partner = await nextLimitSeq(tx, partnerId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: partner.limitSeq }))
    const most = mostDeliveries(users.length)
    const { due, deliveries } = await refusing(catchUp(tx, await withOwners(tx, await lockUsers(tx, users)), most))
    await setOwnLimits(tx, users)
    const usages = await readUsages(tx, users)
    try {
      return addDue(due, await recheckLevels(tx, usages, partner, most - deliveries))
    } catch (err) {
      if (!(err instanceof TooManyDeliveries)) throw err
      const { limitSeq } = await nextLimitSeq(tx, partnerId)
      await addChange(tx, partnerId, { limit: null, limitSeq })
      return addDue(due, { subscriptions: [], states: await settleLimitStates(tx, usages) })
    }
  })
}

async function refusing<T>(caughtUp: Promise<T>): Promise<T> {
  try {
    return await caughtUp
  } catch (err) {
    if (!(err instanceof TooManyDeliveries)) throw err
    throw new Refusal('too_many_changes', 'changes are on their way to these users already; try again', [], RETRY_AFTER_SECONDS)
  }
}

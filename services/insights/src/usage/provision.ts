import { Refusal } from '@onward/runtime'
import { addApplications, addLimitPeriod, assignApplication, lockApplication, type OnLimit, setOnLimit } from '../db/applications.ts'
import { lockPartner, nextLimitSeq } from '../db/partners.ts'
import { readUsages, setDaysFrom } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { lockUsersAhead, settleOwnLimits } from '../db/users.ts'
import { settleLimitStates } from '../limits/settle-limit-states.ts'
import { addChange } from './add-change.ts'
import { catchUp } from './catch-up.ts'
import { addDue, type Due, NOTHING_DUE } from './due.ts'
import { newestDays } from './period.ts'
import { DEFAULT_DAYS } from './settle.ts'
import { withOwners } from './with-owners.ts'

/** What an application is to be; undefined: as it is, or 30 days and `allow`. */
type Asked = { readonly days: number | undefined; readonly onLimit: OnLimit | undefined }

type Provisioned = { readonly days: number; readonly onLimit: OnLimit; readonly due: Due }

/**
 * Assigns an application to a partner, and sets the length of its limit period and whether it blocks users at their limit. Tasks may
 * have been counted for it before: their users get the partner's default, and are looked at.
 */
export async function provisionApplication(db: Db, appKey: string, partnerId: string, { days, onLimit }: Asked): Promise<Provisioned> {
  return await db.transaction().execute(async (tx) => {
    await addApplications(tx, [appKey], days ?? DEFAULT_DAYS)
    const application = await lockApplication(tx, appKey)
    // Whoever adds users shares this lock: those that are being added now are there when all users are looked at.
    const partner = await lockPartner(tx, partnerId)
    if (partner === undefined) throw new Refusal('workspace_not_found', 'there is no such workspace')
    if (application.partnerId !== null && application.partnerId !== partnerId) {
      throw new Refusal('belongs_to_other_workspace', 'the application belongs to another workspace')
    }
    const before = newestDays(application.limitPeriods)
    let due = NOTHING_DUE
    if (days !== undefined && days !== before) {
      const ahead = await lockUsersAhead(tx, appKey)
      // Changes on their way to users were made under the length before.
      due = (await catchUp(tx, await withOwners(tx, ahead))).due
      await setDaysFrom(tx, ahead, days, await addLimitPeriod(tx, appKey, days))
      // A block ends with its window.
      due = addDue(due, { subscriptions: [], states: await settleLimitStates(tx, await readUsages(tx, ahead)) })
    }
    const enforces = onLimit !== undefined && onLimit !== application.onLimit
    if (enforces) await setOnLimit(tx, appKey, onLimit)
    if (application.partnerId === null) {
      await assignApplication(tx, appKey, partnerId)
      await settleOwnLimits(tx, appKey, partner.defaultLimit, partner.limitSeq)
    }
    if (enforces || application.partnerId === null) {
      const { limitSeq } = await nextLimitSeq(tx, partnerId)
      await addChange(tx, partnerId, { limit: null, limitSeq })
    }
    return { days: days ?? before, onLimit: onLimit ?? application.onLimit, due }
  })
}

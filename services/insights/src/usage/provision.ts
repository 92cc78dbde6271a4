import { Refusal } from '@onward/runtime'
import { addApplications, addLimitPeriod, assignApplication, lockApplication } from '../db/applications.ts'
import { sharePartners } from '../db/partners.ts'
import { insertReevaluation } from '../db/reevaluations.ts'
import type { Db } from '../db/tables.ts'
import { settleOwnLimits } from '../db/users.ts'
import { newestDays } from './period.ts'
import { DEFAULT_DAYS } from './settle.ts'

/**
 * Assigns an application to a partner and sets the length of its limit period. Tasks may have been counted for it before:
 * their users get the partner's default, and their levels are looked at. Gives the length, in days.
 */
export async function provisionApplication(db: Db, appKey: string, partnerId: string, days: number | undefined): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    await addApplications(tx, [appKey], days ?? DEFAULT_DAYS)
    const application = await lockApplication(tx, appKey)
    const partner = (await sharePartners(tx, [partnerId])).get(partnerId)
    if (partner === undefined) throw new Refusal('workspace_not_found', 'there is no such workspace')
    if (application.partnerId !== null && application.partnerId !== partnerId) {
      throw new Refusal('belongs_to_other_workspace', 'the application belongs to another workspace')
    }
    const before = newestDays(application.limitPeriods)
    if (days !== undefined && days !== before) await addLimitPeriod(tx, appKey, days)
    if (application.partnerId === null) {
      await assignApplication(tx, appKey, partnerId)
      await settleOwnLimits(tx, appKey, partner.defaultLimit, partner.limitSeq)
      await insertReevaluation(tx, partnerId)
    }
    return days ?? before
  })
}

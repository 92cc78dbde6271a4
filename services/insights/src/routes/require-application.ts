import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import { type Application, findApplication } from '../db/applications.ts'
import { type Partner, readPartners } from '../db/partners.ts'
import type { Db } from '../db/tables.ts'
import { isStorable } from '../usage/storable.ts'

/** The application that a request names, with the partner that it belongs to. Another partner's is answered like one that is not there. */
export async function requireApplication(db: Db, caller: Caller, appKey: string): Promise<{ application: Application; partner: Partner }> {
  const application = isStorable(appKey) ? await findApplication(db, caller.partnerId, appKey) : undefined
  const partner = application && (await readPartners(db, [caller.partnerId])).get(caller.partnerId)
  if (application === undefined || partner === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return { application, partner }
}

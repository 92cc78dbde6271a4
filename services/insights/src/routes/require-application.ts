import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import { findApplication, type OwnedApplication } from '../db/applications.ts'
import type { Db } from '../db/tables.ts'
import { isStorable } from '../usage/storable.ts'

/** The application that a request names. Another partner's is answered like one that is not there. */
export async function requireApplication(db: Db, caller: Caller, appKey: string): Promise<OwnedApplication> {
  const application = isStorable(appKey) ? await findApplication(db, caller.partnerId, appKey) : undefined
  if (application === undefined) throw new Refusal('application_not_found', 'there is no such application')
  return application
}

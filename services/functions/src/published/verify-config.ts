import type { UserKey } from '@onward/runtime'
import type { RequestHandler } from 'express'
import { findApplication } from '../db/applications.ts'
import type { Db } from '../db/tables.ts'

/** The published browser client sends this request before any other one, and continues only after this response. */
export function verifyConfig(db: Db): RequestHandler {
  return async (_req, res) => {
    const caller: UserKey = res.locals.caller
    const application = await findApplication(db, caller.appKey)
    res.json({ config_verified: true, meta: { app: { name: application?.name ?? caller.appKey } } })
  }
}

import { type Actor, mayEnter, noApplication } from '@onward/access'
import { isStorable, Refusal, type UserKey } from '@onward/runtime'
import type { RequestHandler } from 'express'
import { requireUserId } from '../auth.ts'
import type { Context } from '../context.ts'
import { findApplication } from '../db/applications.ts'
import { policyOf } from '../policy/enforce.ts'
import type { ServedApplication } from '../served-applications.ts'

/** Where the admin API serves the endpoints of this area. */
export const USER_PREFIX = '/admin/applications/:app_key/users/:user_id'

/** Lets a member of the application's workspace use the endpoints of this area for one of its users. */
export function actForUser(ctx: Pick<Context, 'applications' | 'db'>): RequestHandler {
  return async (req, res, next) => {
    const { app_key: appKey, user_id: userId } = req.params as { app_key: string; user_id: string }
    const actor: Actor | undefined = res.locals.actor
    if (actor === undefined) throw new Refusal('unauthenticated', 'sign in first, or send an access token as Authorization: Bearer')
    const application = isStorable(appKey) ? await findApplication(ctx.db, appKey) : undefined
    // The guard decides this too. Here it keeps others out before their body is read.
    if (application === undefined || !mayEnter(actor, application.workspaceId)) throw noApplication()
    requireUserId(userId)
    const caller: UserKey = { appKey, userId }
    // The console itself is no client that was made for the published API.
    const served: ServedApplication = {
      ...application,
      clientProfile: 'standard',
      secrets: [],
      suspensions: [],
      policy: await policyOf(ctx, appKey),
    }
    res.locals.caller = caller
    res.locals.application = served
    next()
  }
}

/** The caller whose memory a request of the admin API uses: a person has no more than a user has. */
export const asPerson: RequestHandler = (_req, res, next) => {
  const actor: Actor | undefined = res.locals.actor
  const caller: UserKey = { appKey: 'console', userId: actor?.id ?? 'anonymous' }
  res.locals.caller = caller
  next()
}

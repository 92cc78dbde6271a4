import type { Actor } from '@onward/access'
import { predictFunction } from '@onward/contract'
import { type RateLimit, readBody, type UserKey } from '@onward/runtime'
import type { RequestHandler, Response } from 'express'
import { admit } from '../admit.ts'
import type { Context } from '../context.ts'
import type { ApplicationRateLimits } from '../db/applications.ts'
import { refuseSuspended } from '../policy/suspensions.ts'
import { asPerson } from './act-for-user.ts'

/** What `identify` finds out of the application that a request is made for. */
type Limited = { readonly rateLimits: ApplicationRateLimits }

type Entry = {
  /** Sets `caller` and `application`, or refuses the request. */
  readonly identify: RequestHandler
  readonly bodyLimit: number
  /**
   * Returns the tenant whose turn it is, from the request alone. Then the request waits for its turn before `identify`, otherwise after it.
   */
  readonly tenantOf?: (req: Parameters<RequestHandler>[0]) => string
}

/**
 * Returns the handlers that each request for a user passes, whichever way it comes in: the API, MCP, the console, an embedded page. The
 * request waits for the turn of its application, counts against the rate limits of its user and application, takes its memory from their
 * share, and its body is read. A test compares these entrances.
 */
export function enterForUser(ctx: Context, { identify, bodyLimit, tenantOf }: Entry): RequestHandler[] {
  const { turns } = ctx.onward
  const admitted = admit(ctx.memory, bodyLimit)
  const enter: RequestHandler = (req, res, next) => {
    countRequest(ctx, res, PREDICT.test(req.path))
    admitted(req, res, next)
  }
  const rest = [enter, ...readBody(bodyLimit, waitForBody(ctx))]
  if (tenantOf === undefined) return [identify, takeTurn(ctx), ...rest]
  return [(req, _res, next) => turns.take(tenantOf(req), next), identify, ...rest]
}

/** Refuses the requests of suspended users. Comes after the rate limits, because a refusal reads the database. */
export function requireActive({ applications }: Pick<Context, 'applications'>): RequestHandler {
  return async (_req, res, next) => {
    await refuseSuspended(applications, res.locals.caller)
    next()
  }
}

/** Returns the handlers for a request of the admin API: a person waits and uses memory as one user does. The console counts its requests. */
export function enterForPerson(ctx: Context, bodyLimit: number): RequestHandler[] {
  return [asPerson, takeTurn(ctx), admit(ctx.memory, bodyLimit), ...readBody(bodyLimit, waitForBody(ctx))]
}

function takeTurn({ onward: { turns } }: Context): RequestHandler {
  return (_req, res, next) => turns.take(res.locals.caller.appKey, next)
}

function waitForBody({ onward: { turns } }: Context): (res: Response, bytes: number) => Promise<void> | undefined {
  return (res, bytes) => turns.beforeBody(res.locals.caller.appKey, bytes)
}

/** The end of the path of predict, as Express matches it. */
const PREDICT = new RegExp(`${predictFunction.path}/?$`, 'i')

/**
 * Counts a request, or a prediction, against the rate limits of its user and application. Predictions have separate limits, because a
 * prediction takes as long as many other requests. Throws `rate_limited`.
 */
export function countRequest({ rateLimits }: Pick<Context, 'rateLimits'>, res: Response, predicts: boolean): void {
  const { caller, application } = res.locals as { caller: UserKey; application: Limited }
  rateLimits.count(res, predicts ? predictLimits(caller, application.rateLimits) : userLimits(caller, application.rateLimits))
}

/** Counts a request of the admin API that works for one user against the rate limits of the user. ADMIN_TOKEN has none. */
export function countForUser({ rateLimits }: Pick<Context, 'rateLimits'>, res: Response, caller: UserKey, application: Limited): void {
  const actor: Actor | undefined = res.locals.actor
  if (actor?.kind !== 'bootstrap') rateLimits.count(res, userLimits(caller, application.rateLimits))
}

function userLimits({ appKey, userId }: UserKey, { rate_limit, user_rate_limit }: ApplicationRateLimits): RateLimit[] {
  return [
    { name: 'application', key: appKey, quota: rate_limit },
    { name: 'user', key: `${appKey}/${userId}`, quota: user_rate_limit },
  ]
}

function predictLimits({ appKey, userId }: UserKey, { predict_rate_limit, user_predict_rate_limit }: ApplicationRateLimits): RateLimit[] {
  return [
    { name: 'predict-application', key: appKey, quota: predict_rate_limit },
    { name: 'predict-user', key: `${appKey}/${userId}`, quota: user_predict_rate_limit },
  ]
}

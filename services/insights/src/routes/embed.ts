import { randomBytes } from 'node:crypto'
import { bearerOf, unguarded } from '@onward/access'
import type { EmbedView } from '@onward/contract'
import * as endpoints from '@onward/contract'
import { makeEndpoints, mount, Refusal, type RouteOf, readBody, refuseUnknownPath, routesOf, serveRoute } from '@onward/runtime'
import type { Express, RequestHandler } from 'express'
import type { Context } from '../context.ts'
import { findBlockedUntil } from '../db/blocking.ts'
import { type EmbedSession, takeEmbedCode, touchEmbedSession } from '../db/embed-sessions.ts'
import { readDays, readUsage } from '../db/periods.ts'
import { readNow } from '../db/tables.ts'
import { digestOf } from '../people/sessions.ts'
import { currentPeriod, newestDays } from '../rules/period.ts'
import { currentUsage, taskStatusWithPercents } from '../rules/status.ts'
import { dateOf, dayOf, daysOfPeriod } from '../rules/usage-days.ts'
import { requireAssigned } from './route.ts'

const EMBED_API = '/embed/api/insights'
/** Requests a minute of all embedded pages of one user. A page that is open sends two. */
const USER_QUOTA = 120
const BODY_LIMIT = 4_096

/** The caller is the session whose token a request has. */
const embedRoute: RouteOf<Context, EmbedSession> = routesOf()

const redeemEmbedCodeRoute = embedRoute(endpoints.redeemEmbedCode, async (ctx, { body }) => {
  const token = randomBytes(32).toString('base64url')
  const session = await takeEmbedCode(ctx.db, body.session_id, digestOf(body.code), digestOf(token))
  if (session === undefined) {
    throw new Refusal('embed_link_invalid', 'this link was opened before, is older than five minutes, or was ended; ask for a new one')
  }
  return { token, views: [...session.views], expires_at: session.expiresAt.toISOString() }
})

const readEmbeddedUsageRoute = embedRoute(endpoints.readEmbeddedUsage, async (ctx, { caller }) => {
  requireView(caller, 'usage')
  const { userId, workspaceId } = caller
  const application = await requireAssigned(ctx.db, workspaceId, caller.appKey)
  const { appKey, onLimit, limitPeriods, defaultLimit } = application
  const user = { appKey, userId }
  const stored = await readUsage(ctx.db, user)
  const now = stored?.now ?? (await readNow(ctx.db))
  const period = stored === undefined ? null : currentPeriod(stored, limitPeriods)
  // A user without a task and without an own limit gets the default limit with the first task.
  const unknown = { userId, limit: defaultLimit, consumed: 0, days: newestDays(limitPeriods), endsAt: null }
  const usage = stored === undefined ? unknown : currentUsage(stored, application)
  const counted = period === null ? [] : await readDays(ctx.db, user, dayOf(period.startsAt), dayOf(now))
  const days = period === null ? [] : daysOfPeriod(period.startsAt, now, usage.consumed, counted)
  return {
    ...taskStatusWithPercents(usage, now),
    as_of: now.toISOString(),
    period: period && { starts_at: period.startsAt.toISOString(), ends_at: period.endsAt.toISOString() },
    days: days.map(({ day, consumed }) => ({ date: dateOf(day), tasks_consumed: consumed })),
    on_limit: onLimit,
    blocked_until: (await findBlockedUntil(ctx.db, user))?.toISOString() ?? null,
  }
})

const createEmbedAccessRoute = embedRoute(endpoints.createEmbedAccess, async (ctx, { caller }) => {
  const { expiresAt: _, ...holder } = caller
  const { token, expiresAt } = await ctx.access.tokens.embed.sign(holder)
  return { access_token: token, expires_at: expiresAt.toISOString() }
})

const tokenRoutes = [readEmbeddedUsageRoute, createEmbedAccessRoute]

/** The endpoints that the embedded page uses. They are public, but no part of the two areas. */
export const EMBED_SHAPES = [redeemEmbedCodeRoute, ...tokenRoutes].map(({ endpoint }) => endpoint)

/** Serves the endpoints of the embedded page. Only tokens of `redeemEmbedCode` work here, and they work nowhere else. */
export function serveEmbedApi(app: Express, ctx: Context, admit: RequestHandler): void {
  const { config, rateLimits } = ctx
  const options = { checkResponses: config.checkResponses, guard: unguarded }
  app.use(EMBED_API, (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  const { method, path } = endpoints.redeemEmbedCode
  const anonymous: RequestHandler = (req, res, next) => {
    rateLimits.countAnonymous(req, res)
    next()
  }
  app[method](path, anonymous, ...readBody(BODY_LIMIT), serveRoute(ctx, redeemEmbedCodeRoute, options))
  app.use(EMBED_API, authenticateEmbed(ctx), admit, ...readBody(BODY_LIMIT))
  mount(app, ctx, tokenRoutes, options)
  app.use(EMBED_API, refuseUnknownPath(makeEndpoints([])))
}

/** Finds the session of a request by its token, and counts the request against the rate limit of the embedded pages of its user. */
function authenticateEmbed({ db, rateLimits }: Context): RequestHandler {
  return async (req, res, next) => {
    const token = bearerOf(req)
    const session = token === undefined ? undefined : await touchEmbedSession(db, digestOf(token))
    if (session === undefined) {
      rateLimits.countAnonymous(req, res)
      throw new Refusal('unauthenticated', 'the session of this page has ended; open it again')
    }
    rateLimits.count(res, [{ name: 'embed', key: `${session.appKey}/${session.userId}`, quota: USER_QUOTA }])
    res.locals.caller = session
    next()
  }
}

function requireView({ views }: EmbedSession, view: EmbedView): void {
  if (!views.includes(view)) throw new Refusal('not_found', `this link does not show ${view}`)
}

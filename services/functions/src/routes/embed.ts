import { type Actor, bearerOf, noApplication, originOf, plainActor, unguarded } from '@onward/access'
import { listEmbeddedAccounts, openEmbeddedConnect, readEmbeddedLook } from '@onward/contract'
import { makeEndpoints, mount, Refusal, refuseUnknownPath, type UserKey } from '@onward/runtime'
import type { Express, RequestHandler } from 'express'
import { changeLimits, requireUserId } from '../auth.ts'
import { presentAccount } from '../catalog/present.ts'
import { recordUserChange } from '../connect/audit.ts'
import { makeConnectLink } from '../connect/connect-link.ts'
import { findIcon } from '../connect/icon.ts'
import { forUsers } from '../connect/pages/page.ts'
import type { Context } from '../context.ts'
import { type Application, findApplication } from '../db/applications.ts'
import { findOwnAccount, selectAccounts } from '../db/connected-accounts.ts'
import { enterForUser } from './enter.ts'
import { route } from './route.ts'

const EMBED_API = '/embed/api/functions'
/** Every embedded page may read how it should look. */
const LOOK_PATH = readEmbeddedLook.path.slice(EMBED_API.length)
const BODY_LIMIT = 4_096
/** Maximum number of accounts that the page shows. Its link to the page of all accounts shows the others. */
const MAX_ACCOUNTS = 100

const listEmbeddedAccountsRoute = route(listEmbeddedAccounts, async (ctx, { caller: { appKey, userId } }) => {
  const application = await findApplication(ctx.db, appKey)
  if (application === undefined) throw noApplication()
  const accounts = await selectAccounts(ctx.db, appKey, { userId }, MAX_ACCOUNTS + 1)
  const icons = new Map<string, Promise<string | undefined>>()
  const iconOf = async (app: string) => {
    const icon = icons.get(app) ?? findIcon(ctx.config.appFolders, app)
    icons.set(app, icon)
    return (await icon) ?? null
  }
  const shown = accounts.slice(0, MAX_ACCOUNTS).map(async (account) => {
    const app = ctx.catalog.current.functions.app(account.app)
    return {
      ...presentAccount(account),
      app_title: app?.title ?? account.app,
      app_icon: await iconOf(account.app),
      can_reconnect: app?.needsAccount === true,
    }
  })
  return { application: forUsers(application).name, accounts: await Promise.all(shown), more: accounts.length > MAX_ACCOUNTS }
})

const readEmbeddedLookRoute = route(readEmbeddedLook, async (_ctx, { response }) => {
  const { accent, theme = 'reader', limit_url } = (response.locals.application as Application).connectPages
  return { theme, ...(accent !== undefined && { accent }), ...(limit_url !== undefined && { limit_url }) }
})

const openEmbeddedConnectRoute = route(openEmbeddedConnect, async (ctx, { caller, body, request, response }) => {
  const { account_id: id } = body
  const account = id === undefined ? undefined : await findOwnAccount(ctx.db, caller, id)
  if (id !== undefined && account === undefined) throw new Refusal('connected_account_not_found', 'you have no such connected account')
  const wanted = {
    app: account?.app,
    manage: account === undefined,
    pick: account === undefined && body.pick === true,
    locale: body.locale,
  }
  const audited = { origin: originOf(request, response), countChange: () => ctx.rateLimits.count(response, changeLimits(caller)) }
  const sessionId: string = response.locals.embedSessionId
  const actor: Actor = { ...plainActor('embed-session', sessionId, caller.userId), sessionId, rightsVersion: 0 }
  const entry = { action: 'connect-session.create', target: {}, after: { app: account?.app ?? null, manage: wanted.manage }, actor }
  const { url, expiresAt } = await recordUserChange(ctx, audited, caller, entry, () => makeConnectLink(ctx, caller, wanted, request, actor))
  return { url, expires_at: expiresAt.toISOString() }
})

const embedRoutes = [readEmbeddedLookRoute, listEmbeddedAccountsRoute, openEmbeddedConnectRoute]
export const EMBED_SHAPES = embedRoutes.map(({ endpoint }) => endpoint)

/** Serves what the embedded page of a user may do with connected accounts: list them, and make links to the connect pages. */
export function serveEmbedApi(app: Express, ctx: Context): void {
  app.use(EMBED_API, ...enterForUser(ctx, { identify: authenticateEmbed(ctx), bodyLimit: BODY_LIMIT }))
  mount(app, ctx, embedRoutes, { checkResponses: ctx.config.checkResponses, guard: unguarded })
  app.use(EMBED_API, refuseUnknownPath(makeEndpoints([])))
}

/** Finds the user of a request by the access token of an embedded page that may show accounts. Accepts no other tokens. */
function authenticateEmbed({ db, access, rateLimits }: Context): RequestHandler {
  return async (req, res, next) => {
    res.set('Cache-Control', 'no-store')
    const token = bearerOf(req)
    const holder = token === undefined ? undefined : await access.tokens.embed.verify(token)
    const needsAccounts = req.path !== LOOK_PATH
    if (holder === undefined || (needsAccounts && !holder.views.includes('accounts'))) {
      rateLimits.countAnonymous(req, res)
      throw new Refusal('unauthenticated', 'this needs an access token of an embedded page that shows accounts')
    }
    const { sessionId, workspaceId, appKey, userId } = holder
    const application = await findApplication(db, appKey)
    if (application?.workspaceId !== workspaceId) throw noApplication()
    requireUserId(userId)
    const caller: UserKey = { appKey, userId }
    Object.assign(res.locals, { caller, application, embedSessionId: sessionId })
    next()
  }
}

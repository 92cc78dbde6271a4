import { CONSOLE_BODY_LIMIT, isSecure, openConsoleApi, prefixed, requireAdminToken, unguarded } from '@onward/access'
import { functionsOpenApi } from '@onward/contract'
import {
  internalApp,
  lazy,
  makeEndpoints,
  mount,
  publicApp,
  Refusal,
  type RequestLog,
  refuseUnknownPath,
  sendErrors,
  serveDocument,
  serveRoute,
  withPrefixed,
} from '@onward/runtime'
import type { Express, Request, RequestHandler } from 'express'
import { sql } from 'kysely'
import { countResponse } from './admit.ts'
import { authenticate, profileOf, senders } from './auth.ts'
import type { Context } from './context.ts'
import { respondToPreflights } from './cors.ts'
import { rightsNow } from './db/ended-rights.ts'
import { adaptToPublished } from './published/adapt.ts'
import { verifyConfig } from './published/verify-config.ts'
import { actForUser, USER_PREFIX } from './routes/act-for-user.ts'
import {
  clearPastPromptsRoute,
  deleteApplicationRoute,
  deletePreviousSecretRoute,
  listApplicationsRoute,
  putApplicationRoute,
  rotateSecretRoute,
} from './routes/admin/applications.ts'
import {
  decideApplicationApprovalRoute,
  listApplicationApprovalsRoute,
  readApprovalBackgroundRoute,
  readApprovalRoute,
} from './routes/admin/approvals.ts'
import { readAuditRoute } from './routes/admin/audit.ts'
import { readCallRoute, readCallsRoute, runRetentionRoute } from './routes/admin/calls.ts'
import {
  listAppIconsRoute,
  listCatalogRoute,
  readCatalogAppRoute,
  readCatalogFunctionRoute,
  searchFunctionsRoute,
} from './routes/admin/catalog.ts'
import {
  connectAccountRoute,
  disconnectAccountRoute,
  getConnectedAccountRoute,
  listConnectedAccountsRoute,
  testConnectedAccountRoute,
} from './routes/admin/connected-accounts.ts'
import {
  deleteImportedAppRoute,
  getImportedAppRoute,
  listImportedAppsRoute,
  listQuarantinedRoute,
  previewImportRoute,
  putAppRoute,
} from './routes/admin/imported-apps.ts'
import { createMcpClientRoute, deleteMcpClientRoute, listMcpClientsRoute } from './routes/admin/mcp-clients.ts'
import { getMcpSignInRoute, putMcpSignInRoute } from './routes/admin/mcp-sign-in.ts'
import { listApplicationMcpTokensRoute, readMcpTokenUsageRoute, revokeApplicationMcpTokenRoute } from './routes/admin/mcp-tokens.ts'
import { deleteOAuthClientRoute, listOAuthClientsRoute, putOAuthClientRoute } from './routes/admin/oauth-clients.ts'
import { getPolicyRoute, putPolicyRoute, testPolicyRoute } from './routes/admin/policy.ts'
import { previewCallRoute } from './routes/admin/preview.ts'
import { resealSecretsRoute } from './routes/admin/secrets.ts'
import { readAttentionRoute, readCallStatisticsRoute } from './routes/admin/statistics.ts'
import { listSuspensionsRoute, putSuspensionRoute } from './routes/admin/suspensions.ts'
import { readSystemRoute } from './routes/admin/system.ts'
import { deleteUserRoute, exportUserRoute } from './routes/admin/user-data.ts'
import { decideApprovalRoute, getApprovalRoute, listApprovalsRoute } from './routes/approvals.ts'
import { getAppRoute, listAppsRoute } from './routes/apps.ts'
import { batchCallRoute } from './routes/batch-call.ts'
import { callFunctionRoute } from './routes/call-function.ts'
import { getCallRoute, listCallsRoute } from './routes/calls.ts'
import { connectPages } from './routes/connect-pages.ts'
import {
  confirmOwnAccountRoute,
  disconnectOwnAccountRoute,
  listOwnAccountsRoute,
  openConnectSessionRoute,
  renameOwnAccountRoute,
  setDefaultAccountRoute,
} from './routes/connected-accounts.ts'
import { DOCS_PATHS, serveDocs } from './routes/docs-pages.ts'
import { EMBED_SHAPES, serveEmbedApi } from './routes/embed.ts'
import { enterForPerson, enterForUser, requireActive } from './routes/enter.ts'
import { getFunctionRoute, listFunctionsRoute } from './routes/functions.ts'
import { mcpEndpoint } from './routes/mcp.ts'
import { approveMcpSignInRoute, createMcpSignInLinkRoute } from './routes/mcp-sign-in.ts'
import { createMcpTokenRoute, listMcpTokensRoute, narrowMcpTokenRoute, revokeMcpTokenRoute } from './routes/mcp-tokens.ts'
import { sendPageErrors } from './routes/pages.ts'
import { predictFunctionRoute } from './routes/predict-function.ts'
import { storeRefusedCalls } from './routes/refused-call.ts'
import { MCP_OF_APPLICATION, SIGN_IN_PATHS, serveSignIn } from './routes/sign-in.ts'

const BODY_LIMIT = 1_048_576
/** All paths below `/connect` but one, which is an endpoint of the API. */
const CONNECT_PAGES = /^\/connect(?!\/session\/?$)/i

/** `/functions/list` and `/functions/predict` come before the routes with a function name in the path. */
export const publicRoutes = [
  listAppsRoute,
  getAppRoute,
  listFunctionsRoute,
  predictFunctionRoute,
  getFunctionRoute,
  callFunctionRoute,
  batchCallRoute,
  listCallsRoute,
  getCallRoute,
  listOwnAccountsRoute,
  renameOwnAccountRoute,
  setDefaultAccountRoute,
  disconnectOwnAccountRoute,
  confirmOwnAccountRoute,
  listApprovalsRoute,
  getApprovalRoute,
  decideApprovalRoute,
  createMcpTokenRoute,
  listMcpTokensRoute,
  narrowMcpTokenRoute,
  revokeMcpTokenRoute,
  createMcpSignInLinkRoute,
  approveMcpSignInRoute,
  openConnectSessionRoute,
]

export const adminRoutes = [
  putAppRoute,
  previewImportRoute,
  getImportedAppRoute,
  listImportedAppsRoute,
  deleteImportedAppRoute,
  listQuarantinedRoute,
  listCatalogRoute,
  listAppIconsRoute,
  searchFunctionsRoute,
  readCatalogFunctionRoute,
  readCatalogAppRoute,
  putApplicationRoute,
  listApplicationsRoute,
  rotateSecretRoute,
  deletePreviousSecretRoute,
  clearPastPromptsRoute,
  deleteApplicationRoute,
  connectAccountRoute,
  listConnectedAccountsRoute,
  getConnectedAccountRoute,
  disconnectAccountRoute,
  testConnectedAccountRoute,
  exportUserRoute,
  deleteUserRoute,
  previewCallRoute,
  getMcpSignInRoute,
  putMcpSignInRoute,
  createMcpClientRoute,
  listMcpClientsRoute,
  deleteMcpClientRoute,
  listApplicationMcpTokensRoute,
  readMcpTokenUsageRoute,
  revokeApplicationMcpTokenRoute,
  getPolicyRoute,
  putPolicyRoute,
  testPolicyRoute,
  putSuspensionRoute,
  listSuspensionsRoute,
  listApplicationApprovalsRoute,
  readApprovalRoute,
  readApprovalBackgroundRoute,
  decideApplicationApprovalRoute,
  putOAuthClientRoute,
  listOAuthClientsRoute,
  deleteOAuthClientRoute,
  readCallsRoute,
  readCallStatisticsRoute,
  readCallRoute,
  readAttentionRoute,
  readSystemRoute,
  runRetentionRoute,
  resealSecretsRoute,
  readAuditRoute,
]

/** A path of the API that has the form of an MCP URL. No application with this App-Key has one. */
const MCP_TOKENS = /^\/mcp\/tokens\/?$/i

/** Returns whether an endpoint of the admin API works for one user of an application, as the endpoints of this area do. */
function isForUser({ endpoint }: { readonly endpoint: { readonly path: string } }): boolean {
  return endpoint.path.startsWith(`${USER_PREFIX}/`)
}

/** Where the public port serves the admin API to people. */
const CONSOLE_API = '/console/api/functions'

/** Paths that exist only for applications with `client_profile: published`. */
const PUBLISHED_PATHS = ['/apps/:app_name', '/verify-sdk-config']

/** Skips the handler for an application with another client profile. */
function onlyPublished(handle: RequestHandler): RequestHandler {
  return (req, res, next) => (profileOf(res) === 'published' ? handle(req, res, next) : next())
}

/**
 * Returns the App-Key of a request. Returns an empty text for an unknown App-Key, so that invented App-Keys share turns. Does the same if
 * headers and query have different App-Keys, so that the request takes no turn of an application that it does not act for.
 */
function tenantOf({ applications }: Context, req: Request): string {
  const inQuery = req.url.includes('?') ? req.query.app_key : undefined
  const appKey = req.headers['app-key'] ?? req.headers.app_key ?? inQuery
  const isOne = inQuery === undefined || inQuery === appKey
  return isOne && typeof appKey === 'string' && applications.held(appKey) !== undefined ? appKey : ''
}

export function openPublicApp(ctx: Context): Express {
  const shapes = publicRoutes.map(({ endpoint }) => endpoint)
  const others = [...DOCS_PATHS, '/openapi.json', '/connect/callback', '/connect/*', '/mcp']
  const consoleApi = openConsoleApi({
    context: ctx,
    routes: adminRoutes.filter((route) => !isForUser(route)),
    handlers: enterForPerson(ctx, CONSOLE_BODY_LIMIT),
    area: {
      routes: [...prefixed(USER_PREFIX, publicRoutes), ...adminRoutes.filter(isForUser)],
      handlers: enterForUser(ctx, { identify: actForUser(ctx), bodyLimit: BODY_LIMIT }),
    },
    tokens: ctx.access.tokens.session,
    rightsNow: (actor) => rightsNow(ctx.db, actor),
    rateLimits: ctx.rateLimits,
    secure: isSecure(ctx.config),
    options: { checkResponses: ctx.config.checkResponses, guard: ctx.access.admin },
  })
  const requestLog: RequestLog = {
    log: ctx.log,
    seconds: ctx.metrics.requestSeconds,
    endpoints: withPrefixed(
      makeEndpoints([...shapes, ...EMBED_SHAPES], [...others, ...SIGN_IN_PATHS, MCP_OF_APPLICATION, ...PUBLISHED_PATHS]),
      CONSOLE_API,
      consoleApi.endpoints,
    ),
    senderOf: senders(ctx.sealer),
    tracing: ctx.tracing,
  }
  const app = publicApp(ctx.config, requestLog, countResponse)
  const entry = { identify: authenticate(ctx), bodyLimit: BODY_LIMIT, tenantOf: (req: Request) => tenantOf(ctx, req) }
  const identified = [...enterForUser(ctx, entry), requireActive(ctx), onlyPublished(adaptToPublished)]
  const options = { checkResponses: ctx.config.checkResponses, guard: unguarded }
  // First, because Express compares a request with every route before its own.
  app.post(callFunctionRoute.endpoint.path, ...identified, serveRoute(ctx, callFunctionRoute, options), storeRefusedCalls(ctx))
  serveSignIn(app, ctx)
  app.use(['/openapi.json', CONNECT_PAGES, '/docs'], (req, res, next) => {
    ctx.rateLimits.countAnonymous(req, res)
    next()
  })
  app.get('/openapi.json', serveDocument(functionsOpenApi))
  serveDocs(app, ctx.config)
  app.use(CONNECT_PAGES, connectPages(ctx))
  app.use(CONNECT_PAGES, sendPageErrors(ctx.log))
  // The SDK has a megabyte of code, and not every deployment has MCP clients.
  const mcp = lazy(async () => (await import('./mcp/serve.ts')).openMcp(ctx))
  const endpoint = mcpEndpoint(ctx, async (request) => (await mcp())(request), BODY_LIMIT)
  app.all(['/mcp', MCP_OF_APPLICATION], (req, res, next) => (MCP_TOKENS.test(req.path) ? next() : endpoint(req, res, next)))
  app.use(CONSOLE_API, consoleApi.router)
  serveEmbedApi(app, ctx)
  app.use('/partners', () => {
    throw new Refusal('not_found', 'this is functions (area A); the paths below /partners are those of insights (area B)')
  })
  app.use(respondToPreflights(ctx.db), ...identified)
  app.get('/verify-sdk-config', onlyPublished(verifyConfig(ctx.db)))
  mount(app, ctx, publicRoutes, options)
  app.use(refuseUnknownPath(makeEndpoints(shapes, others)), sendErrors(ctx.log, ctx.config.publicUrl))
  return app
}

/** Calls need neither the queue nor insights: their tasks wait in Postgres. `checkSealing` rejects while stored secrets cannot be opened. */
export function openInternalApp(ctx: Context, checkSealing: () => Promise<void>): Express {
  const checks = {
    postgres: { check: () => sql`select 1`.execute(ctx.db), needed: true },
    sealing_keys: { check: checkSealing, needed: true },
    queue: { check: () => ctx.queues.ping(), needed: false },
  }
  return internalApp({
    context: ctx,
    routes: adminRoutes,
    authenticate: requireAdminToken(ctx.config.adminToken, ctx.rateLimits),
    checkResponses: ctx.config.checkResponses,
    guard: ctx.access.admin,
    metrics: ctx.metrics.registry,
    seconds: ctx.metrics.requestSeconds,
    log: ctx.log,
    checks,
  })
}

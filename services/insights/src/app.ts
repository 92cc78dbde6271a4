import { CONSOLE_BODY_LIMIT, guarded, isSecure, openConsoleApi, prefixed, requireAdminToken } from '@onward/access'
import { insightsOpenApi } from '@onward/contract'
import {
  internalApp,
  makeEndpoints,
  mount,
  publicApp,
  Refusal,
  type Route,
  readBody,
  refuseUnknownPath,
  sendErrors,
  serveDocument,
  withPrefixed,
} from '@onward/runtime'
import type { Express } from 'express'
import { openAdmission } from './admit.ts'
import { admitKey, authenticate, senderOf } from './auth.ts'
import type { Context } from './context.ts'
import { readNow } from './db/tables.ts'
import { rightsNow } from './people/sessions.ts'
import { getWorkspaceAttentionRoute } from './routes/admin/attention.ts'
import { readAuditRoute } from './routes/admin/audit.ts'
import { readDeliveriesRoute } from './routes/admin/deliveries.ts'
import { previewLimitsRoute } from './routes/admin/limit-preview.ts'
import { rebuildUsageRoute, resealSecretsRoute, runRetentionRoute } from './routes/admin/maintenance.ts'
import { addMemberRoute, changeMemberRoute, listMembersRoute, removeMemberRoute } from './routes/admin/members.ts'
import { dropQuarantinedRoute, listQuarantineRoute, replayQuarantineRoute } from './routes/admin/quarantine.ts'
import { readReconcileRoute, startReconcileRoute, stopReconcileRoute } from './routes/admin/reconcile.ts'
import {
  abortReplayRoute,
  createReplayRoute,
  getReplayRoute,
  listReplaysRoute,
  previewReplayRoute,
  readSubscriptionHealthRoute,
  sendPendingRoute,
} from './routes/admin/replays.ts'
import {
  createSignInLinkRoute,
  createTokenRoute,
  endSessionRoute,
  listSessionsRoute,
  previewSignInLinkRoute,
  readSessionRoute,
  redeemSignInLinkRoute,
  renewSessionRoute,
  signOutRoute,
} from './routes/admin/session.ts'
import { readSignInMethodsRoute, readSingleSignOnRoute } from './routes/admin/sign-in-methods.ts'
import { readSystemRoute } from './routes/admin/system.ts'
import { readMonthUsageRoute } from './routes/admin/usage.ts'
import { deleteUserRoute, exportUserRoute } from './routes/admin/user-data.ts'
import { getUserDetailRoute, listUsersRoute, readTaskRoute, readTasksRoute } from './routes/admin/users.ts'
import { getWorkspaceRoute, listApplicationsRoute } from './routes/admin/workspace.ts'
import { createApiKeyRoute, revokeApiKeyRoute, rotatePartnerKeyRoute } from './routes/admin/workspace-keys.ts'
import {
  deleteApplicationRoute,
  deleteWorkspaceRoute,
  listWorkspacesRoute,
  putApplicationRoute,
  putWorkspaceRoute,
} from './routes/admin/workspaces.ts'
import { CONSOLE_PATHS, serveConsole } from './routes/console-pages.ts'
import { listDeliveriesRoute, replayDeliveryRoute } from './routes/deliveries.ts'
import { EMBED_SHAPES, serveEmbedApi } from './routes/embed.ts'
import { EMBED_PATHS, serveEmbedPages } from './routes/embed-pages.ts'
import { createEmbedSessionRoute, endEmbedSessionRoute, endEmbedSessionsRoute } from './routes/embed-sessions.ts'
import { asPerson, enterWorkspace, WORKSPACE_PREFIX } from './routes/enter-workspace.ts'
import { getUserTaskHistoryRoute, getUserTasksRoute } from './routes/get-user-tasks.ts'
import { listUserTasksRoute } from './routes/list-user-tasks.ts'
import { createListenerRoute, reportAttemptRoute, takeDeliveriesRoute } from './routes/listeners.ts'
import { OIDC_PATHS, oidcPages } from './routes/oidc-pages.ts'
import { setAllLimitsRoute, setDefaultLimitRoute, setUserLimitsRoute } from './routes/set-limits.ts'
import {
  createSubscriptionRoute,
  deleteSubscriptionRoute,
  disableSubscriptionRoute,
  enableSubscriptionRoute,
  getSubscriptionRoute,
  listSubscriptionsRoute,
  rotateSigningSecretRoute,
  testSubscriptionRoute,
  updateSubscriptionRoute,
} from './routes/subscriptions.ts'

const MAX_BODY_BYTES = 2 * 1_048_576

/** The routes of the partner API. A test compares them with the OpenAPI document. */
export const publicRoutes = [
  getUserTasksRoute,
  getUserTaskHistoryRoute,
  listUserTasksRoute,
  setUserLimitsRoute,
  setDefaultLimitRoute,
  setAllLimitsRoute,
  createSubscriptionRoute,
  listSubscriptionsRoute,
  getSubscriptionRoute,
  updateSubscriptionRoute,
  deleteSubscriptionRoute,
  disableSubscriptionRoute,
  enableSubscriptionRoute,
  rotateSigningSecretRoute,
  testSubscriptionRoute,
  listDeliveriesRoute,
  replayDeliveryRoute,
  createListenerRoute,
  takeDeliveriesRoute,
  reportAttemptRoute,
  createEmbedSessionRoute,
  endEmbedSessionRoute,
  endEmbedSessionsRoute,
]

/** What programs change all the time with an API key. The audit log has only what a person changes there. */
const UNRECORDED: readonly Route<Context>[] = [setUserLimitsRoute, createListenerRoute, takeDeliveriesRoute, reportAttemptRoute]

export const adminRoutes = [
  putWorkspaceRoute,
  listWorkspacesRoute,
  createApiKeyRoute,
  rotatePartnerKeyRoute,
  revokeApiKeyRoute,
  deleteWorkspaceRoute,
  getWorkspaceRoute,
  putApplicationRoute,
  deleteApplicationRoute,
  listApplicationsRoute,
  listUsersRoute,
  readMonthUsageRoute,
  getUserDetailRoute,
  exportUserRoute,
  deleteUserRoute,
  readTaskRoute,
  readTasksRoute,
  previewLimitsRoute,
  getWorkspaceAttentionRoute,
  readSubscriptionHealthRoute,
  readDeliveriesRoute,
  previewReplayRoute,
  createReplayRoute,
  listReplaysRoute,
  getReplayRoute,
  abortReplayRoute,
  sendPendingRoute,
  listQuarantineRoute,
  replayQuarantineRoute,
  dropQuarantinedRoute,
  rebuildUsageRoute,
  startReconcileRoute,
  readReconcileRoute,
  stopReconcileRoute,
  runRetentionRoute,
  resealSecretsRoute,
  readSystemRoute,
  readAuditRoute,
  previewSignInLinkRoute,
  redeemSignInLinkRoute,
  renewSessionRoute,
  signOutRoute,
  readSignInMethodsRoute,
  readSingleSignOnRoute,
  readSessionRoute,
  listSessionsRoute,
  endSessionRoute,
  createTokenRoute,
  createSignInLinkRoute,
  listMembersRoute,
  addMemberRoute,
  changeMemberRoute,
  removeMemberRoute,
]

/** Where the public port serves the admin API to people. */
const CONSOLE_API = '/console/api/insights'

/** The partner API. Checks HTTPS first, then the API key, then the body: without a valid key, the body is not parsed. */
export function openPublicApp(ctx: Context): Express {
  const admit = openAdmission()
  const consoleApi = openConsoleApi({
    context: ctx,
    routes: adminRoutes,
    handlers: [asPerson, admit, ...readBody(CONSOLE_BODY_LIMIT)],
    area: { routes: prefixed(WORKSPACE_PREFIX, publicRoutes), handlers: [enterWorkspace(ctx), admit, ...readBody(MAX_BODY_BYTES)] },
    tokens: ctx.access.tokens.session,
    rightsNow: (actor) => rightsNow(ctx.db, actor),
    rateLimits: ctx.rateLimits,
    secure: isSecure(ctx.config),
    options: { checkResponses: ctx.config.checkResponses, guard: ctx.access.admin },
  })
  const endpoints = makeEndpoints(
    [...publicRoutes.map(({ endpoint }) => endpoint), ...EMBED_SHAPES],
    ['/', '/openapi.json', ...OIDC_PATHS, ...CONSOLE_PATHS, ...EMBED_PATHS],
  )
  const app = publicApp(ctx.config, {
    log: ctx.log,
    seconds: ctx.metrics.requestSeconds,
    endpoints: withPrefixed(endpoints, CONSOLE_API, consoleApi.endpoints),
    senderOf,
    tracing: ctx.tracing,
  })
  app.use(CONSOLE_API, consoleApi.router)
  app.use('/openapi.json', (req, res, next) => {
    ctx.rateLimits.countAnonymous(req, res)
    next()
  })
  app.get('/openapi.json', serveDocument(insightsOpenApi))
  app.get('/', serveDocument({ name: 'Onward', docs: `${ctx.config.publicUrl ?? ''}/docs`, openapi: '/openapi.json' }))
  app.use('/console/oidc', oidcPages(ctx))
  serveConsole(app, ctx.config)
  serveEmbedApi(app, ctx, admit)
  serveEmbedPages(app, ctx)
  app.use(['/functions', '/apps', '/calls', '/connected-accounts', '/approvals', '/mcp', '/docs'], () => {
    throw new Refusal('not_found', 'this is insights (area B), whose paths are below /partners; this path is one of functions (area A)')
  })
  app.use(authenticate(ctx), admit, ...readBody(MAX_BODY_BYTES))
  const unrecorded = publicRoutes.filter((each) => UNRECORDED.includes(each))
  const recorded = publicRoutes.filter((each) => !UNRECORDED.includes(each))
  mount(app, ctx, unrecorded, { checkResponses: ctx.config.checkResponses, guard: guarded(admitKey) })
  mount(app, ctx, recorded, { checkResponses: ctx.config.checkResponses, guard: guarded(admitKey, ctx.access.audit) })
  app.use(refuseUnknownPath(endpoints), sendErrors(ctx.log, ctx.config.publicUrl))
  return app
}

/** The API needs neither the queue nor the signing secrets: tasks wait in functions, and webhooks in Postgres. */
export function openInternalApp(ctx: Context, checkSealing: () => Promise<void>): Express {
  return internalApp({
    context: ctx,
    routes: adminRoutes,
    authenticate: requireAdminToken(ctx.config.adminToken, ctx.rateLimits),
    checkResponses: ctx.config.checkResponses,
    guard: ctx.access.admin,
    metrics: ctx.metrics.registry,
    seconds: ctx.metrics.requestSeconds,
    log: ctx.log,
    checks: {
      postgres: { check: () => readNow(ctx.db), needed: true },
      sealing_keys: { check: checkSealing, needed: false },
      queue: { check: () => ctx.queues.ping(), needed: false },
    },
  })
}

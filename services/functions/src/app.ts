import { functionsOpenApi } from '@onward/contract'
import { answerErrors, internalApp, mount, publicApp, readBody, refuseUnknownPath, serveDocument } from '@onward/runtime'
import type { Express } from 'express'
import { sql } from 'kysely'
import { authenticate } from './auth.ts'
import type { Context } from './context.ts'
import { clearPastPromptsRoute } from './routes/admin/clear-past-prompts.ts'
import { connectAccountRoute } from './routes/admin/connect-account.ts'
import { deleteImportedAppRoute } from './routes/admin/delete-imported-app.ts'
import { deleteOAuthClientRoute } from './routes/admin/delete-oauth-client.ts'
import { disconnectAccountRoute } from './routes/admin/disconnect-account.ts'
import { getImportedAppRoute } from './routes/admin/get-imported-app.ts'
import { listApplicationsRoute } from './routes/admin/list-applications.ts'
import { listConnectedAccountsRoute } from './routes/admin/list-connected-accounts.ts'
import { listImportedAppsRoute } from './routes/admin/list-imported-apps.ts'
import { listOAuthClientsRoute } from './routes/admin/list-oauth-clients.ts'
import { listQuarantinedRoute } from './routes/admin/list-quarantined.ts'
import { putAppRoute } from './routes/admin/put-app.ts'
import { putApplicationRoute } from './routes/admin/put-application.ts'
import { putOAuthClientRoute } from './routes/admin/put-oauth-client.ts'
import { readCallHoursRoute } from './routes/admin/read-call-hours.ts'
import { readCallsRoute } from './routes/admin/read-calls.ts'
import { resendCallsRoute } from './routes/admin/resend-calls.ts'
import { rotateSecretRoute } from './routes/admin/rotate-secret.ts'
import { runRetentionRoute } from './routes/admin/run-retention.ts'
import { callFunctionRoute } from './routes/call-function.ts'
import { answerPageErrors } from './routes/connect/answer-page-errors.ts'
import { connectPages } from './routes/connect/connect-pages.ts'
import { disconnectOwnAccountRoute } from './routes/disconnect-own-account.ts'
import { getAppRoute } from './routes/get-app.ts'
import { getCallRoute } from './routes/get-call.ts'
import { getFunctionRoute } from './routes/get-function.ts'
import { listAppsRoute } from './routes/list-apps.ts'
import { listCallsRoute } from './routes/list-calls.ts'
import { listFunctionsRoute } from './routes/list-functions.ts'
import { predictFunctionRoute } from './routes/predict-function.ts'

const BODY_LIMIT = 1_048_576

/** `/functions/list` and `/functions/predict` come before the routes with a function name in the path. */
export const publicRoutes = [
  listAppsRoute,
  getAppRoute,
  listFunctionsRoute,
  predictFunctionRoute,
  getFunctionRoute,
  callFunctionRoute,
  listCallsRoute,
  getCallRoute,
  disconnectOwnAccountRoute,
]

const adminRoutes = [
  putAppRoute,
  getImportedAppRoute,
  listImportedAppsRoute,
  deleteImportedAppRoute,
  listQuarantinedRoute,
  putApplicationRoute,
  listApplicationsRoute,
  rotateSecretRoute,
  clearPastPromptsRoute,
  connectAccountRoute,
  listConnectedAccountsRoute,
  disconnectAccountRoute,
  putOAuthClientRoute,
  listOAuthClientsRoute,
  deleteOAuthClientRoute,
  readCallsRoute,
  readCallHoursRoute,
  resendCallsRoute,
  runRetentionRoute,
]

export function openPublicApp(ctx: Context): Express {
  const app = publicApp(ctx.config)
  app.get('/openapi.json', serveDocument(functionsOpenApi))
  app.use('/connect', connectPages(ctx))
  app.use('/connect', answerPageErrors(ctx.log))
  app.use(authenticate(ctx), ...readBody(BODY_LIMIT))
  mount(app, ctx, publicRoutes, ctx.config.checkAnswers)
  app.use(refuseUnknownPath, answerErrors(ctx.log))
  return app
}

export function openInternalApp(ctx: Context): Express {
  const checks = { postgres: () => sql`select 1`.execute(ctx.db), queue: () => ctx.queues.ping() }
  return internalApp({ context: ctx, routes: adminRoutes, ...ctx.config, metrics: ctx.metrics.registry, log: ctx.log, checks })
}

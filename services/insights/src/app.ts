import { insightsOpenApi } from '@onward/contract'
import { answerErrors, internalApp, mount, publicApp, readBody, refuseUnknownPath, serveDocument } from '@onward/runtime'
import type { Express } from 'express'
import { authenticate } from './auth.ts'
import type { Context } from './context.ts'
import { readNow } from './db/now.ts'
import { dropQuarantined } from './routes/admin/drop-quarantined.ts'
import { listQuarantine } from './routes/admin/list-quarantine.ts'
import { listWorkspaces } from './routes/admin/list-workspaces.ts'
import { putApplication } from './routes/admin/put-application.ts'
import { putWorkspace } from './routes/admin/put-workspace.ts'
import { readEventHours } from './routes/admin/read-event-hours.ts'
import { rebuildUsage } from './routes/admin/rebuild-usage.ts'
import { replayQuarantine } from './routes/admin/replay-quarantine.ts'
import { rotatePartnerKey } from './routes/admin/rotate-partner-key.ts'
import { runRetention } from './routes/admin/run-retention.ts'
import { createSubscription } from './routes/create-subscription.ts'
import { deleteSubscription } from './routes/delete-subscription.ts'
import { enableSubscription } from './routes/enable-subscription.ts'
import { getSubscription } from './routes/get-subscription.ts'
import { getUserTaskHistory } from './routes/get-user-task-history.ts'
import { getUserTasks } from './routes/get-user-tasks.ts'
import { listDeliveries } from './routes/list-deliveries.ts'
import { listSubscriptions } from './routes/list-subscriptions.ts'
import { listUserTasks } from './routes/list-user-tasks.ts'
import { replayDelivery } from './routes/replay-delivery.ts'
import { rotateSigningSecret } from './routes/rotate-signing-secret.ts'
import { setAllLimits } from './routes/set-all-limits.ts'
import { setDefaultLimit } from './routes/set-default-limit.ts'
import { setUserLimits } from './routes/set-user-limits.ts'
import { testSubscription } from './routes/test-subscription.ts'

const MAX_BODY = 2 * 1_048_576

/** In the OpenAPI document too. */
export const publicRoutes = [
  getUserTasks,
  getUserTaskHistory,
  listUserTasks,
  setUserLimits,
  setDefaultLimit,
  setAllLimits,
  createSubscription,
  listSubscriptions,
  getSubscription,
  deleteSubscription,
  enableSubscription,
  rotateSigningSecret,
  testSubscription,
  listDeliveries,
  replayDelivery,
]

const adminRoutes = [
  putWorkspace,
  listWorkspaces,
  rotatePartnerKey,
  putApplication,
  listQuarantine,
  replayQuarantine,
  dropQuarantined,
  rebuildUsage,
  readEventHours,
  runRetention,
]

/** The partner API: https, then the key, then the body, so that nobody without a key makes us parse anything. */
export function openPublicApp(ctx: Context): Express {
  const app = publicApp(ctx.config)
  app.get('/openapi.json', serveDocument(insightsOpenApi))
  app.use(authenticate(ctx.db), ...readBody(MAX_BODY))
  mount(app, ctx, publicRoutes, ctx.config.checkAnswers)
  app.use(refuseUnknownPath, answerErrors(ctx.log))
  return app
}

export function openInternalApp(ctx: Context): Express {
  return internalApp({
    context: ctx,
    routes: adminRoutes,
    adminToken: ctx.config.adminToken,
    checkAnswers: ctx.config.checkAnswers,
    metrics: ctx.metrics,
    log: ctx.log,
    checks: { postgres: () => readNow(ctx.db), queue: () => ctx.queues.ping() },
  })
}

import { answerErrors, internalApp, mount, publicApp, readBody, refuseUnknownPath } from '@onward/runtime'
import type { Express } from 'express'
import { authenticate } from './auth.ts'
import type { Context } from './context.ts'
import { readNow } from './db/now.ts'
import { listWorkspaces } from './routes/admin/list-workspaces.ts'
import { putApplication } from './routes/admin/put-application.ts'
import { putWorkspace } from './routes/admin/put-workspace.ts'
import { rotatePartnerKey } from './routes/admin/rotate-partner-key.ts'
import { createSubscription } from './routes/create-subscription.ts'
import { deleteSubscription } from './routes/delete-subscription.ts'
import { getUserTasks } from './routes/get-user-tasks.ts'
import { listUserTasks } from './routes/list-user-tasks.ts'
import { setAllLimits } from './routes/set-all-limits.ts'
import { setDefaultLimit } from './routes/set-default-limit.ts'
import { setUserLimits } from './routes/set-user-limits.ts'

const MAX_BODY = 2 * 1_048_576

/** The partner API: https, then the key, then the body, so that nobody without a key makes us parse anything. */
export function openPublicApp(ctx: Context): Express {
  const app = publicApp(ctx.config)
  app.use(authenticate(ctx.db), ...readBody(MAX_BODY))
  mount(
    app,
    ctx,
    [getUserTasks, listUserTasks, setUserLimits, setDefaultLimit, setAllLimits, createSubscription, deleteSubscription],
    ctx.config.checkAnswers,
  )
  app.use(refuseUnknownPath, answerErrors(ctx.log))
  return app
}

export function openInternalApp(ctx: Context): Express {
  return internalApp({
    context: ctx,
    routes: [putWorkspace, listWorkspaces, rotatePartnerKey, putApplication],
    adminToken: ctx.config.adminToken,
    checkAnswers: ctx.config.checkAnswers,
    metrics: ctx.metrics,
    log: ctx.log,
    checks: { postgres: () => readNow(ctx.db), queue: () => ctx.queues.ping() },
  })
}

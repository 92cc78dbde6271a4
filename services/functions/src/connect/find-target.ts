import type { App } from '@onward/catalog'
import type { Context } from '../context.ts'
import { type Application, findApplication } from '../db/applications.ts'
import { PageProblem } from './pages/page-problem.ts'

/** What is connected to what. */
export type Target = { readonly app: App; readonly application: Application; readonly userId: string }

export async function findTarget(ctx: Context, asked: { appKey: string; userId: string; app: string }): Promise<Target> {
  const application = await findApplication(ctx.db, asked.appKey)
  const app = ctx.catalog.current.functions.app(asked.app)
  if (application === undefined || app === undefined || !app.needsAccount) {
    throw new PageProblem(404, 'There is nothing to connect here', 'The application or the app that this link was made for is gone.')
  }
  return { app, application, userId: asked.userId }
}

import { listImportedApps } from '@onward/contract'
import { selectImportedApps } from '../../db/imported-apps.ts'
import { route } from '../route.ts'

export const listImportedAppsRoute = route(listImportedApps, async (ctx) => {
  const stored = await selectImportedApps(ctx.db)
  await ctx.catalog.refresh()
  return {
    apps: stored.map(({ name, modifiedAt }) => {
      const app = ctx.catalog.current.functions.app(name)
      return { name, title: app?.title ?? name, functions: app?.functions.length ?? 0, modified_at: modifiedAt.toISOString() }
    }),
  }
})

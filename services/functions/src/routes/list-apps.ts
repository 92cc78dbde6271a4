import { listApps } from '@onward/contract'
import { pageOf } from '../catalog/page.ts'
import { groupByApp, presentApp } from '../catalog/present.ts'
import { presentAccount } from '../catalog/present-account.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { route } from './route.ts'

export const listAppsRoute = route(listApps, async (ctx, { caller, query, body, request }) => {
  const needsAccounts = query.connected_only === true || ctx.config.clientProfile === 'published'
  const accounts = groupByApp(needsAccounts ? await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }) : [])
  const apps =
    query.connected_only === true
      ? ctx.catalog.current.functions.apps.filter(({ name }) => accounts.has(name))
      : ctx.catalog.current.functions.apps
  const { page, _cursor } = pageOf(apps, (app) => app, { query, body })
  const loginUrl = loginUrls(ctx, caller, request)
  return {
    apps: page.map((app) => ({
      ...presentApp(app, loginUrl),
      ...(ctx.config.clientProfile === 'published' ? { connected_accounts: (accounts.get(app.name) ?? []).map(presentAccount) } : {}),
    })),
    _cursor,
  }
})

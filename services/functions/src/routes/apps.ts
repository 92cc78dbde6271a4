import type { App } from '@onward/catalog'
import { getApp, listApps } from '@onward/contract'
import { profileOf } from '../auth.ts'
import { refuseApp } from '../catalog/functions.ts'
import { pageOf } from '../catalog/page.ts'
import { groupByApp, presentAccount, presentApp } from '../catalog/present.ts'
import { loginUrls } from '../connect/login-link.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { mayConnect, route } from './route.ts'

export const listAppsRoute = route(listApps, async (ctx, { caller, actor, query, body, request, response }) => {
  const { functions } = ctx.catalog.current
  const published = profileOf(response) === 'published'
  const needsAccounts = query.connected_only === true || published
  const accounts = groupByApp(needsAccounts ? await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }) : [])
  const isWanted = ({ name }: App) => query.connected_only !== true || accounts.has(name)
  const { page, _cursor } = pageOf(functions.apps, (app) => app, { query, body }, isWanted)
  const loginUrl = loginUrls(ctx, caller, request, mayConnect(actor))
  return {
    apps: page.map((app) => ({
      ...presentApp(app, loginUrl),
      ...(published ? { connected_accounts: (accounts.get(app.name) ?? []).map(presentAccount) } : {}),
    })),
    _cursor,
  }
})

export const getAppRoute = route(getApp, async (ctx, { caller, actor, params, request }) => {
  const { functions } = ctx.catalog.current
  const app = functions.app(params.app_name) ?? refuseApp(functions, params.app_name)
  const accounts = await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: app.name })
  return {
    ...presentApp(app, loginUrls(ctx, caller, request, mayConnect(actor))),
    connected_accounts: accounts.map(presentAccount),
  }
})

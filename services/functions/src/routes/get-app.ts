import { getApp } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { presentApp } from '../catalog/present.ts'
import { presentAccount } from '../catalog/present-account.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { route } from './route.ts'

export const getAppRoute = route(getApp, async (ctx, { caller, params, request }) => {
  const app = ctx.catalog.current.functions.app(params.app_name)
  if (app === undefined) throw new Refusal('app_not_found', 'there is no such app')
  const accounts = await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: app.name })
  return { ...presentApp(app, loginUrls(ctx, caller, request)), connected_accounts: accounts.map(presentAccount) }
})

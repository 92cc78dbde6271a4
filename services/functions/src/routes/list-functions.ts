import { listFunctions } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { pageOf } from '../catalog/page.ts'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseBesideFormat, toolFor } from '../catalog/tools.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { route } from './route.ts'

export const listFunctionsRoute = route(listFunctions, async (ctx, { caller, query, body, request }) => {
  if (query.app !== undefined && ctx.catalog.current.functions.app(query.app) === undefined)
    throw new Refusal('app_not_found', 'there is no such app')
  const { format } = query
  const meta = query.include === 'meta'
  if (format !== undefined) refuseBesideFormat({ include: meta })
  const needsAccounts = meta || query.connected_only === true
  const accounts = groupByApp(needsAccounts ? await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }) : [])
  const wanted = ctx.catalog.current.functions.all.filter(
    ({ fn }) =>
      (query.app === undefined || fn.app.name === query.app) &&
      (query.type === undefined || fn.type === query.type) &&
      (query.connected_only !== true || accounts.has(fn.app.name)),
  )
  const { page, _cursor } = pageOf(wanted, ({ fn }) => fn, { query, body })
  if (format !== undefined) return { functions: page.map(({ fn }) => toolFor(fn, format)), _cursor }
  const parts = meta ? { accounts, loginUrl: loginUrls(ctx, caller, request) } : undefined
  return { functions: page.map(({ fn }) => presentFunction(fn, ctx.config.clientProfile, parts)), _cursor }
})

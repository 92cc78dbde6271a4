import { getFunction } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseBesideFormat, toolFor } from '../catalog/tools.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { fillArguments, valuesOf } from '../predict/fill.ts'
import { route } from './route.ts'

export const getFunctionRoute = route(getFunction, async (ctx, { caller, params, query, body, request }) => {
  const callable = ctx.functions.get(params.function_name)
  if (callable === undefined) throw new Refusal('function_not_found', 'there is no such function')
  const { fn } = callable
  const meta = query.include === 'meta'
  const prompt = body.prompt || null
  const variables = body._variables ?? null
  if (query.format !== undefined) {
    refuseBesideFormat({ include: meta, prompt: prompt !== null, _variables: variables !== null })
    return toolFor(fn, query.format)
  }
  const accounts = meta ? groupByApp(await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: fn.app.name })) : undefined
  const shown = presentFunction(fn, ctx.clientProfile, accounts && { accounts, loginUrl: loginUrls(ctx, caller, request) })
  if (prompt === null && variables === null) return shown
  return { ...shown, arguments: valuesOf(fillArguments(callable, { prompt, variables, now: new Date(), timeZone: 'UTC' })) }
})

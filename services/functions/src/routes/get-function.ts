import { getFunction } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseBesideFormat, toolFor } from '../catalog/tools.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { valuesOf } from '../predict/fill.ts'
import { fillWithModel } from '../predict/fill-with-model.ts'
import { readTimeZone } from '../predict/time-zone.ts'
import { goneSignal } from './gone.ts'
import { route } from './route.ts'

export const getFunctionRoute = route(getFunction, async (ctx, { caller, params, query, body, request, response }) => {
  const callable = ctx.catalog.current.functions.get(params.function_name)
  if (callable === undefined) throw new Refusal('function_not_found', 'there is no such function')
  const { fn } = callable
  const meta = query.include === 'meta'
  const prompt = body.prompt || null
  const variables = body._variables ?? null
  const timeZone = readTimeZone(body.time_zone)
  if (query.format !== undefined) {
    refuseBesideFormat({ include: meta, prompt: prompt !== null, _variables: variables !== null })
    return toolFor(fn, query.format)
  }
  const accounts = meta ? groupByApp(await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: fn.app.name })) : undefined
  const predicted =
    prompt === null && variables === null
      ? undefined
      : await fillWithModel(ctx, caller, callable, { prompt, variables, now: new Date(), timeZone }, goneSignal(response))
  const shown = presentFunction(
    fn,
    ctx.config.clientProfile,
    accounts && { accounts, loginUrl: loginUrls(ctx, caller, request), predicted },
  )
  return { ...shown, ...(predicted && { arguments: valuesOf(predicted) }) }
})

import { predictFunction } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseBesideFormat, toolFor } from '../catalog/tools.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { valuesOf } from '../predict/fill.ts'
import { predictFunctions } from '../predict/predict.ts'
import { route } from './route.ts'

export const predictFunctionRoute = route(predictFunction, async (ctx, { caller, query, body, request }) => {
  if (body.prompt.trim() === '') throw new Refusal('invalid_parameters', 'the parameters are not valid', ['prompt: must not be empty'])
  const meta = query.include === 'meta'
  if (query.format !== undefined) refuseBesideFormat({ include: meta })
  const accounts = groupByApp(await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }))
  const [best] = predictFunctions(ctx, {
    ...{ prompt: body.prompt, variables: body._variables ?? null, now: new Date(), timeZone: 'UTC' },
    withArguments: body.predict_arguments ?? query.predict_arguments ?? false,
    connected: (app) => accounts.has(app),
    count: 1,
  })
  if (best === undefined) return { functions: [] }
  const { fn } = best.callable
  const ours = { ...(best.arguments && { arguments: valuesOf(best.arguments) }), confidence: best.confidence }
  if (query.format !== undefined) return { functions: [toolFor(fn, query.format)], ...ours }
  const parts = meta ? { accounts, loginUrl: loginUrls(ctx, caller, request) } : undefined
  return { functions: [{ ...presentFunction(fn, ctx.clientProfile, parts), ...ours }] }
})

import { predictFunction } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseBesideFormat, toolFor } from '../catalog/tools.ts'
import { loginUrls } from '../connect/login-urls.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { predictArguments } from '../predict/arguments.ts'
import { route } from './route.ts'

export const predictFunctionRoute = route(predictFunction, async (ctx, { caller, query, body, request }) => {
  if (body.prompt.trim() === '') throw new Refusal('invalid_parameters', 'the parameters are not valid', ['prompt: must not be empty'])
  const meta = query.include === 'meta'
  if (query.format !== undefined) refuseBesideFormat({ include: meta })
  const accounts = groupByApp(await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }))
  const best = ctx.predictor.predict(body.prompt, (app) => accounts.has(app))
  if (best === undefined) return { functions: [] }
  const wanted = body.predict_arguments ?? query.predict_arguments ?? false
  const callable = ctx.functions.get(best.fn.name)
  const withArguments =
    wanted && callable ? { arguments: predictArguments({ ...callable, ...best.fn.parameters }, body.prompt, body._variables ?? null) } : {}
  const ours = { ...withArguments, confidence: best.confidence }
  if (query.format !== undefined) return { functions: [toolFor(best.fn, query.format)], ...ours }
  const parts = meta ? { accounts, loginUrl: loginUrls(ctx, caller, request) } : undefined
  return { functions: [{ ...presentFunction(best.fn, ctx.clientProfile, parts), ...ours }] }
})

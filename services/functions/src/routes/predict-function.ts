import type { AppFunction } from '@onward/catalog'
import { predictFunction } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { profileOf } from '../auth.ts'
import { findFilterApp } from '../catalog/functions.ts'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseWithFormat, toolFor } from '../catalog/tools.ts'
import { linksOf } from '../connect/login-link.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { readTimeZone, readVariables, shownArguments, valuesOf } from '../predict/fill-arguments.ts'
import { type Predicted, predictFunctions } from '../predict/predict.ts'
import type { ServedApplication } from '../served-applications.ts'
import { goneSignal, mayConnect, route } from './route.ts'

export const predictFunctionRoute = route(predictFunction, async (ctx, { caller, actor, query, body, request, response }) => {
  if (body.prompt.trim() === '') throw new Refusal('invalid_parameters', 'the parameters are not valid', ['prompt: must not be empty'])
  const meta = query.include === 'meta'
  const { format } = query
  if (format !== undefined) refuseWithFormat({ include: meta })
  const app = findFilterApp(ctx.catalog.current.functions, query.app)
  const { connected_only: connectedOnly } = query
  const topK = body.top_k ?? query.top_k
  const application: ServedApplication = response.locals.application
  const accounts = groupByApp(await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }))
  const isWanted = (fn: AppFunction) =>
    (app === undefined || fn.app.name === app.name) && (connectedOnly !== true || accounts.has(fn.app.name))
  const origin = actor === undefined ? 'api' : 'console'
  const {
    predicted: found,
    further,
    refused,
    advice,
  } = await predictFunctions(ctx, caller, {
    prompt: body.prompt,
    variables: readVariables(body._variables),
    now: new Date(),
    timeZone: readTimeZone(body.time_zone),
    withArguments: body.predict_arguments ?? query.predict_arguments ?? false,
    connected: (name) => accounts.has(name),
    denied: (fn) => application.policy.denies(fn, origin),
    wanted: app === undefined && connectedOnly !== true ? undefined : isWanted,
    count: topK ?? 1,
    gone: goneSignal(response),
  })
  const predicted = found.map(({ callable: { fn }, ...rest }) => ({ ...rest, fn: application.policy.shown(fn, origin) }))
  const { reason, product, nearest } = refused ?? {}
  const shownRefusal = reason && { reason, ...(product && { product }), ...(topK === undefined ? {} : { nearest: [...(nearest ?? [])] }) }
  const { path, offered, spent } = advice ?? NO_ADVICE
  const { requests, promptTokens, completionTokens } = spent
  const explained = { offered: [...offered], requests, prompt_tokens: promptTokens, completion_tokens: completionTokens }
  const said = {
    ...(advice || query.explain ? { path } : {}),
    ...(query.explain ? { explained } : {}),
    ...(further.length === 0 ? {} : { next: [...further] }),
    ...(shownRefusal && { refused: shownRefusal }),
  }
  const about = Object.keys(said).length === 0 ? {} : { meta: said }
  if (format !== undefined) {
    const functions = predicted.map(({ fn }) => toolFor(fn, format))
    const [best] = predicted
    return {
      functions,
      ...about,
      ...(best && predictionOf(best)),
      ...(topK === undefined ? {} : { predictions: predicted.map(predictionOf) }),
    }
  }
  const parts = meta ? { accounts, ...linksOf(ctx, caller, request, mayConnect(actor)) } : undefined
  const shown = ({ fn, arguments: args }: Shown) =>
    presentFunction(fn, profileOf(response), parts && { ...parts, predicted: args && shownArguments(args, fn) })
  return { functions: predicted.map((each) => ({ ...shown(each), ...predictionOf(each) })), ...about }
})

const NO_ADVICE = { path: 'offline' as const, offered: [], spent: { requests: 0, promptTokens: 0, completionTokens: 0 } }

/** A prediction, with its function as callers see it. */
type Shown = Omit<Predicted, 'callable'> & { readonly fn: AppFunction }

/** Returns the fields that a prediction adds to a function. */
function predictionOf({ fn, confidence, arguments: args }: Shown) {
  return { ...(args && { arguments: valuesOf(args, fn) }), confidence }
}

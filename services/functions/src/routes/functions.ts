import { getFunction, listFunctions } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { profileOf } from '../auth.ts'
import { type Callable, findFilterApp, refuseFunction } from '../catalog/functions.ts'
import { pageOf } from '../catalog/page.ts'
import { groupByApp, presentFunction } from '../catalog/present.ts'
import { refuseWithFormat, toolFor } from '../catalog/tools.ts'
import { linksOf } from '../connect/login-link.ts'
import { selectAccounts } from '../db/connected-accounts.ts'
import { fillWithModel, readTimeZone, readVariables, shownArguments, valuesOf } from '../predict/fill-arguments.ts'
import type { ServedApplication } from '../served-applications.ts'
import { goneSignal, mayConnect, route } from './route.ts'

export const listFunctionsRoute = route(listFunctions, async (ctx, { caller, actor, query, body, request, response }) => {
  const { functions } = ctx.catalog.current
  const app = findFilterApp(functions, query.app)
  const { format } = query
  const meta = query.include === 'meta'
  if (format !== undefined) refuseWithFormat({ include: meta })
  const needsAccounts = meta || query.connected_only === true
  const accounts = groupByApp(needsAccounts ? await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId }) : [])
  const { policy }: ServedApplication = response.locals.application
  const origin = actor === undefined ? 'api' : 'console'
  const isWanted = ({ fn }: Callable) =>
    !policy.denies(fn, origin) &&
    (app === undefined || fn.app.name === app.name) &&
    (query.type === undefined || fn.type === query.type) &&
    (query.connected_only !== true || accounts.has(fn.app.name))
  const { page, _cursor } = pageOf(functions.all, ({ fn }) => fn, { query, body }, isWanted)
  const shown = page.map(({ fn }) => policy.shown(fn, origin))
  if (format !== undefined) return { functions: shown.map((fn) => toolFor(fn, format)), _cursor }
  const parts = meta ? { accounts, ...linksOf(ctx, caller, request, mayConnect(actor)) } : undefined
  const profile = profileOf(response)
  return { functions: shown.map((fn) => presentFunction(fn, profile, parts)), _cursor }
})

export const getFunctionRoute = route(getFunction, async (ctx, { caller, actor, params, query, body, request, response }) => {
  const { functions } = ctx.catalog.current
  const callable = functions.get(params.function_name) ?? refuseFunction(functions, params.function_name)
  const { policy }: ServedApplication = response.locals.application
  const fn = policy.shown(callable.fn, actor === undefined ? 'api' : 'console')
  if (query.app !== undefined && query.app.toLowerCase() !== fn.app.name) {
    throw new Refusal('function_not_found', `${fn.name} is a function of another app: ${fn.app.name}`)
  }
  const meta = query.include === 'meta'
  const prompt = body.prompt || null
  const variables = readVariables(body._variables)
  const timeZone = readTimeZone(body.time_zone)
  const needsAccounts = meta || query.connected_only === true
  const found = needsAccounts ? await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: fn.app.name }) : []
  if (query.connected_only === true && found.length === 0) {
    throw new Refusal('function_not_found', `the user has no connected account of ${fn.app.title}`)
  }
  if (query.format !== undefined) {
    refuseWithFormat({ include: meta, prompt: prompt !== null, _variables: variables !== null })
    return toolFor(fn, query.format)
  }
  const accounts = meta ? groupByApp(found) : undefined
  const predicted =
    prompt === null && variables === null
      ? undefined
      : await fillWithModel(ctx, caller, callable, { prompt, variables, now: new Date(), timeZone }, goneSignal(response))
  const parts = accounts && {
    accounts,
    ...linksOf(ctx, caller, request, mayConnect(actor)),
    predicted: predicted && shownArguments(predicted, fn),
  }
  const shown = presentFunction(fn, profileOf(response), parts)
  return { ...shown, ...(predicted && { arguments: valuesOf(predicted, fn) }) }
})

import {
  type App,
  type AppFunction,
  type Catalog,
  jsonSchemaOf,
  jsonSchemaOfOutput,
  linearRegExp,
  type OutputSchema,
  type RejectedFunction,
} from '@onward/catalog'
import { type Check, nearestAll, onFirstUse, openCompiler, Refusal } from '@onward/runtime'

/** A function with the compiled checks of its parameters. */
export type Callable = {
  readonly fn: AppFunction
  /** Checks JSON bodies. */
  readonly check: Check
  /** Checks form bodies, in which all values are text. */
  readonly checkForm: Check
  /** Checks outputs; null if the function does not declare their shape. */
  readonly checkOutput: Check | null
}

/** Imported documents contain patterns that JavaScript's engine could run for minutes. */
const compileCheck = openCompiler(linearRegExp)

/** The catalog in memory. Each check is compiled once. */
export type Functions = {
  readonly apps: readonly App[]
  readonly all: readonly Callable[]
  /** Functions and apps that do not compile. */
  readonly rejected: readonly RejectedFunction[]
  app(name: string): App | undefined
  get(name: string): Callable | undefined
}

export function compileFunctions(catalog: Catalog): Functions {
  const all = catalog.functions.map(callableOf)
  const byName = new Map(all.map((callable) => [callable.fn.name, callable]))
  const { apps, rejected } = catalog
  return { apps, all, rejected, app: (name) => catalog.app(name), get: (name) => byName.get(name) }
}

/** Throws `function_not_found`, with the nearest names. */
export function refuseFunction(functions: Functions, name: string): never {
  refuseName(
    'function_not_found',
    'function',
    name,
    functions.all.map(({ fn }) => fn.name),
  )
}

/** Throws `app_not_found`, with the nearest names. */
export function refuseApp(functions: Functions, name: string): never {
  refuseName(
    'app_not_found',
    'app',
    name,
    functions.apps.map((app) => app.name),
  )
}

function refuseName(code: 'function_not_found' | 'app_not_found', what: string, name: string, known: readonly string[]): never {
  const suggestions = nearestAll(name, known)
  const meant = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
  throw new Refusal(code, `there is no ${what} ${JSON.stringify(name.slice(0, MAX_SHOWN_NAME))}${meant}`, [], { suggestions })
}

/** Names in requests can be long. */
const MAX_SHOWN_NAME = 100

/** Returns a problem for each name that is not known. */
export function unknownNames(field: string, names: readonly string[], known: readonly string[]): string[] {
  return names.flatMap((name, index) => {
    if (known.includes(name)) return []
    const meant = nearestAll(name, known).join(' or ')
    return [`${field}[${index}]: is not known here${meant === '' ? '' : `; did you mean ${meant}?`}`]
  })
}

/** Returns the app that the filter `app` names, in any case; undefined without a filter. Throws `app_not_found`. */
export function findFilterApp(functions: Functions, name: string | undefined): App | undefined {
  if (name === undefined) return undefined
  return functions.app(name.toLowerCase()) ?? refuseApp(functions, name)
}

function checkOf(output: OutputSchema): Check {
  return onFirstUse(() => compileCheck(jsonSchemaOfOutput(output) as never, 'strict'))
}

/** Functions that did not change keep their compiled checks when the catalog is reloaded. */
const callables = new WeakMap<AppFunction, Callable>()

function callableOf(fn: AppFunction): Callable {
  const known = callables.get(fn)
  if (known !== undefined) return known
  const schema = () => jsonSchemaOf({ additionalProperties: false, ...fn.parameters }) as never
  const callable = {
    fn,
    check: onFirstUse(() => compileCheck(schema(), 'strict')),
    checkForm: onFirstUse(() => compileCheck(schema(), 'coerce')),
    checkOutput: fn.output && checkOf(fn.output),
  }
  callables.set(fn, callable)
  return callable
}

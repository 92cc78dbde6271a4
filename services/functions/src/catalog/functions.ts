import type { App, AppFunction, Catalog, Quarantined } from '@onward/catalog'
import { type Check, compileCheck } from '@onward/runtime'

/** A function with the checks of its parameters compiled. */
export type Callable = {
  readonly fn: AppFunction
  /** For JSON bodies. */
  readonly check: Check
  /** For form bodies, whose values are all text. */
  readonly checkForm: Check
}

/** The catalog as the service uses it: in memory, each check compiled once. */
export type Functions = {
  readonly apps: readonly App[]
  readonly all: readonly Callable[]
  /** What could not be taken in. */
  readonly quarantined: readonly Quarantined[]
  app(name: string): App | undefined
  get(name: string): Callable | undefined
}

export function compileFunctions(catalog: Catalog): Functions {
  const all = catalog.functions.map(callableOf)
  const byName = new Map(all.map((callable) => [callable.fn.name, callable]))
  const { apps, quarantined } = catalog
  return { apps, all, quarantined, app: (name) => catalog.app(name), get: (name) => byName.get(name) }
}

/** Functions that a change of the catalog left as they were keep their checks. */
const callables = new WeakMap<AppFunction, Callable>()

function callableOf(fn: AppFunction): Callable {
  const known = callables.get(fn)
  if (known !== undefined) return known
  const schema = { additionalProperties: false, ...fn.parameters } as never
  const callable = {
    fn,
    check: onFirstUse(() => compileCheck(schema, 'strict')),
    checkForm: onFirstUse(() => compileCheck(schema, 'coerce')),
  }
  callables.set(fn, callable)
  return callable
}

/** Most functions of a large catalog are never called; compiling their checks would take seconds and much memory. */
function onFirstUse(compile: () => Check): Check {
  let check: Check | undefined
  return (value) => {
    check ??= compile()
    return check(value)
  }
}

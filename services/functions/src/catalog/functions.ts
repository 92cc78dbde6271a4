import type { App, AppFunction, Catalog } from '@onward/catalog'
import { type Check, compileCheck } from '@onward/runtime'

/** A function with the checks of its parameters compiled. */
export type Callable = {
  readonly fn: AppFunction
  /** For JSON bodies. */
  readonly check: Check
  /** For form bodies, whose values are all text. */
  readonly checkForm: Check
}

/** The catalog as the service uses it: in memory, compiled once. */
export type Functions = {
  readonly apps: readonly App[]
  readonly all: readonly Callable[]
  app(name: string): App | undefined
  get(name: string): Callable | undefined
}

export function compileFunctions(catalog: Catalog): Functions {
  const all = catalog.functions.map((fn) => {
    const schema = { additionalProperties: false, ...fn.parameters } as never
    return { fn, check: compileCheck(schema, 'strict'), checkForm: compileCheck(schema, 'coerce') }
  })
  const byName = new Map(all.map((callable) => [callable.fn.name, callable]))
  return { apps: catalog.apps, all, app: (name) => catalog.app(name), get: (name) => byName.get(name) }
}

import { type AppFunction, type ToolFormat, toolOf } from '@onward/catalog'
import { Refusal } from '@onward/runtime'

type Tool = ReturnType<typeof toolOf>

/** The tools that were already made, by function. */
const cache: { readonly [F in ToolFormat]: WeakMap<AppFunction, Tool> } = {
  openai: new WeakMap(),
  anthropic: new WeakMap(),
  gemini: new WeakMap(),
  mcp: new WeakMap(),
}

/** Returns a function in the form of a vendor's API. */
export function toolFor(fn: AppFunction, format: ToolFormat): Tool {
  const known = cache[format].get(fn)
  if (known !== undefined) return known
  const tool = toolOf(fn, format)
  cache[format].set(fn, tool)
  return tool
}

/** Refuses options that cannot be combined with `format`, because a vendor's form has no fields for them. `wanted` are the sent options. */
export function refuseBesideFormat(wanted: Readonly<Record<string, boolean>>): void {
  const problems = Object.keys(wanted).filter((name) => wanted[name])
  if (problems.length === 0) return
  throw new Refusal(
    'invalid_parameters',
    'the parameters are not valid',
    problems.map((name) => `${name}: cannot be combined with format`),
  )
}

import { type AppFunction, type ToolFormat, toolOf } from '@onward/catalog'
import { Refusal } from '@onward/runtime'

type Tool = ReturnType<typeof toolOf>

/** Made once for each function, and gone with it. */
const made: { readonly [F in ToolFormat]: WeakMap<AppFunction, Tool> } = {
  openai: new WeakMap(),
  anthropic: new WeakMap(),
  gemini: new WeakMap(),
  mcp: new WeakMap(),
}

/** A function as the vendor's API takes it. */
export function toolFor(fn: AppFunction, format: ToolFormat): Tool {
  const known = made[format].get(fn)
  if (known !== undefined) return known
  const tool = toolOf(fn, format)
  made[format].set(fn, tool)
  return tool
}

/** A vendor's form has no place for what is ours. `wanted` are the options that were sent besides `format`. */
export function refuseBesideFormat(wanted: Readonly<Record<string, boolean>>): void {
  const problems = Object.keys(wanted).filter((name) => wanted[name])
  if (problems.length === 0) return
  throw new Refusal(
    'invalid_parameters',
    'the parameters are not valid',
    problems.map((name) => `${name}: can not go with format`),
  )
}

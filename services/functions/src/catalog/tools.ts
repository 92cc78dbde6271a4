import { type AppFunction, type ToolFormat, toolOf } from '@onward/catalog'
import { refuseProblems } from '@onward/runtime'

type Tool = ReturnType<typeof toolOf>

/** Each tool is converted once. */
const cache: { readonly [F in ToolFormat]: WeakMap<AppFunction, Tool> } = {
  openai: new WeakMap(),
  'openai-chat': new WeakMap(),
  anthropic: new WeakMap(),
  gemini: new WeakMap(),
  mcp: new WeakMap(),
}

/** Returns a function in the tool format of a vendor's API. */
export function toolFor<F extends ToolFormat>(fn: AppFunction, format: F): ReturnType<typeof toolOf<F>> {
  const known = cache[format].get(fn)
  if (known !== undefined) return known as ReturnType<typeof toolOf<F>>
  const tool = toolOf(fn, format)
  cache[format].set(fn, tool)
  return tool
}

/** Throws a Refusal for options that were sent with `format`: a vendor's tool format has no fields for them. */
export function refuseWithFormat(sent: Readonly<Record<string, boolean>>): void {
  const names = Object.keys(sent).filter((name) => sent[name])
  refuseProblems(names.map((name) => `${name}: cannot be combined with format`))
}

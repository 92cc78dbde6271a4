import { assign, type Option } from './choose/assign.ts'
import { judge, type Weights } from './choose/judge.ts'
import { optionsOf } from './choose/options-of.ts'
import { fits } from './fits.ts'
import type { Slot } from './slot/slot.ts'
import { slotsOf } from './slot/slots-of.ts'
import type { Asking, Fillable, PredictedArgument, PredictedArguments } from './types.ts'

/** Arguments from a prompt alone: its pieces given to parameters so that all together fit best. */
export function promptArguments(fillable: Fillable, prompt: string, asking: Asking, weights: Weights): PredictedArguments {
  const slots = slotsOf(fillable)
  const options = optionsOf(fillable, slots, prompt, asking)
  const chosen = assign(options.map((each) => judge(each, weights)))
  return together(fillable, slots, chosen)
}

/** The properties of one object become that object, if it is valid as a whole. */
function together({ check, properties }: Fillable, slots: readonly Slot[], chosen: readonly (Option | null)[]): PredictedArguments {
  const args: Record<string, PredictedArgument> = {}
  for (const name of Object.keys(properties)) {
    const parts = slots.flatMap(({ path }, at) => (path[0] === name && chosen[at] ? [{ path, option: chosen[at] }] : []))
    const [first] = parts
    if (first === undefined) continue
    const value = first.path.length === 1 ? first.option.value : objectOf(parts)
    if (first.path.length > 1 && !fits(check, name, structuredClone(value))) continue
    const start = Math.min(...parts.map(({ option }) => option.found.start))
    const end = Math.max(...parts.map(({ option }) => option.found.end))
    args[name] = {
      value,
      origin: { from: 'prompt', span: [start, end] },
      confidence: Math.min(...parts.map(({ option }) => option.confidence)),
    }
  }
  return args
}

function objectOf(parts: readonly { readonly path: readonly string[]; readonly option: Option }[]): object {
  const whole: Record<string, unknown> = {}
  for (const { path, option } of parts) {
    let at = whole
    for (const name of path.slice(1, -1)) {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
    at[path.at(-1) as string] = option.value
  }
  return whole
}

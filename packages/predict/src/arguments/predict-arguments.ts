import { assign, judge, type Option, type Weights } from './choose/assign.ts'
import { optionsOf } from './choose/candidates.ts'
import type { Slot } from './slot/slot.ts'
import { slotsOf } from './slot/slots-of.ts'
import { type ArgumentInput, type Fillable, fits, type PredictedArgument, type PredictedArguments } from './types.ts'
import { withVariables } from './variables/with-variables.ts'

/**
 * Arguments from what a prompt says and from variables. Every value is valid against its parameter's schema or left out, and none
 * is invented; what is required and not said takes its default. A variable is written as its `{tag}`.
 */
export function predictArguments(fillable: Fillable, input: ArgumentInput, weights: Weights): PredictedArguments {
  const { prompt, variables } = input
  const fromPrompt = prompt === null ? {} : promptArguments(fillable, prompt, input, weights)
  const said = variables === null ? fromPrompt : withVariables(fillable, input, variables, fromPrompt)
  return { ...defaultsOf(fillable), ...said }
}

/** How likely it is that who says nothing of a required parameter means its default. */
const CONFIDENCE = 0.6

/** The defaults of required parameters. What is optional keeps its default by being left out. */
function defaultsOf({ check, properties, required }: Fillable): PredictedArguments {
  return Object.fromEntries(
    required.flatMap((name) => {
      const value = properties[name]?.default
      if (value === undefined || !fits(check, name, structuredClone(value))) return []
      return [[name, { value: structuredClone(value), origin: { from: 'default' as const }, confidence: CONFIDENCE }]]
    }),
  )
}

/** Arguments from a prompt alone: its pieces given to parameters so that all together fit best. */
export function promptArguments(fillable: Fillable, prompt: string, input: ArgumentInput, weights: Weights): PredictedArguments {
  const slots = slotsOf(fillable)
  const options = optionsOf(fillable, slots, prompt, input)
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

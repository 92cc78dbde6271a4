import { assign, judge, type Option, type Weights } from './arguments/choose/assign.ts'
import { candidatesOf } from './arguments/choose/candidates.ts'
import type { Slot } from './arguments/slot/slot.ts'
import { slotsOf } from './arguments/slot/slots-of.ts'
import { type ArgumentInput, type Fillable, fits, type PredictedArgument, type PredictedArguments } from './arguments/types.ts'
import { withVariables } from './arguments/variables/with-variables.ts'
import type { Steps } from './in-slices.ts'

/**
 * Predicts arguments from a prompt and from variables. A value that is not valid against its parameter's schema is left out; none is
 * invented. A required parameter without a value gets its default. A variable is written as its `{tag}`. Run it with `inSlices`.
 */
export function* predictArguments(fillable: Fillable, input: ArgumentInput, weights: Weights): Steps<PredictedArguments> {
  const { prompt, variables } = input
  const fromPrompt = prompt === null ? {} : yield* promptArguments(fillable, prompt, input, weights)
  const said = variables === null ? fromPrompt : yield* withVariables(fillable, input, variables, fromPrompt)
  return { ...defaultsOf(fillable), ...said }
}

/** The confidence that a required parameter which the prompt does not mention has its default. */
const CONFIDENCE = 0.6

/** Returns the defaults of required parameters. An optional parameter is left out, so that the app uses its default. */
function defaultsOf({ check, properties, required }: Fillable): PredictedArguments {
  return Object.fromEntries(
    required.flatMap((name) => {
      const value = properties[name]?.default
      if (value === undefined || !fits(check, name, value)) return []
      return [[name, { value: structuredClone(value), origin: { from: 'default' as const }, confidence: CONFIDENCE }]]
    }),
  )
}

/** Predicts arguments from a prompt alone: assigns pieces of the prompt to parameters so that the total score is highest. */
export function* promptArguments(fillable: Fillable, prompt: string, input: ArgumentInput, weights: Weights): Steps<PredictedArguments> {
  const slots = slotsOf(fillable)
  yield
  const candidates = yield* candidatesOf(fillable, slots, prompt, input)
  const chosen = yield* assign(candidates.map((each) => judge(each, weights)))
  return joinParts(fillable, slots, chosen)
}

/** Puts the values of an object's properties together. The object is left out when it is not valid as a whole. */
function joinParts({ check, properties }: Fillable, slots: readonly Slot[], chosen: readonly (Option | null)[]): PredictedArguments {
  const args: Record<string, PredictedArgument> = {}
  for (const name of Object.keys(properties)) {
    const parts = slots.flatMap(({ path }, at) => (path[0] === name && chosen[at] ? [{ path, option: chosen[at] }] : []))
    const [first] = parts
    if (first === undefined) continue
    const value = first.path.length === 1 ? first.option.value : objectOf(parts)
    if (first.path.length > 1 && !fits(check, name, value)) continue
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
  const object: Record<string, unknown> = {}
  for (const { path, option } of parts) {
    let at = object
    for (const name of path.slice(1, -1)) {
      at[name] ??= {}
      at = at[name] as Record<string, unknown>
    }
    at[path.at(-1) as string] = option.value
  }
  return object
}

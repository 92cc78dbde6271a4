import { assign, judge, type Option, type Weights } from './arguments/choose/assign.ts'
import { candidatesOf } from './arguments/choose/candidates.ts'
import { allSlotsOf, type Slot } from './arguments/slot/slot.ts'
import {
  type ArgumentInput,
  type Fillable,
  fits,
  type Origin,
  type PredictedArgument,
  type PredictedArguments,
  type Variables,
} from './arguments/types.ts'
import { fillTags, variablesIn } from './arguments/variables/tags.ts'
import type { Steps } from './in-slices.ts'

/**
 * Predicts arguments from a prompt and from variables. A value that is not valid against its parameter's schema is left out; none is
 * invented. A required parameter without a value gets its default. A variable is written as its `{tag}`. Run it with `inSlices`.
 */
export function* predictArguments(fillable: Fillable, input: ArgumentInput, weights: Weights): Steps<PredictedArguments> {
  const slots = allSlotsOf(fillable)
  yield
  const candidates = yield* candidatesOf(fillable, input)
  const chosen = yield* assign(candidates.map((each) => judge(each, weights)))
  return { ...defaultsOf(fillable), ...joinParts(fillable, slots, chosen, input.variables ?? {}) }
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

/** Puts the values of an object's properties together. The object is left out when it is not valid as a whole. */
function joinParts(
  { check, properties }: Fillable,
  slots: readonly Slot[],
  chosen: readonly (Option | null)[],
  variables: Variables,
): PredictedArguments {
  const args: Record<string, PredictedArgument> = {}
  for (const name of Object.keys(properties)) {
    const parts = slots.flatMap(({ path }, at) => (path[0] === name && chosen[at] ? [{ path, option: chosen[at] }] : []))
    const whole = parts.find(({ path }) => path.length === 1)
    const used = whole === undefined ? parts : [whole]
    if (used.length === 0) continue
    const value = whole === undefined ? objectOf(parts) : whole.option.value
    if (whole === undefined && !fits(check, name, fillTags(value, variables))) continue
    const confidence = Math.min(...used.map(({ option }) => option.confidence))
    args[name] = { value, origin: originOf(used, value, variables), confidence }
  }
  return args
}

type Part = { readonly path: readonly string[]; readonly option: Option }

function originOf(parts: readonly Part[], value: unknown, variables: Variables): Origin {
  const own = variablesIn(value, variables)
  const [variable = ''] = own
  const pieces = parts.map(({ option }) => option.found).filter(({ kind }) => kind !== 'variable')
  if (pieces.length === 0) return { from: 'variable', variable, ...(own.length > 1 && { variables: own }) }
  const span = [Math.min(...pieces.map(({ start }) => start)), Math.max(...pieces.map(({ end }) => end))] as const
  return { from: 'prompt', span, ...(own.length > 0 && { variables: own }) }
}

function objectOf(parts: readonly Part[]): object {
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

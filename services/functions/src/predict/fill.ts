import { type ArgumentInput, type PredictedArguments, predictArguments } from '@onward/predict'
import type { Caller } from '../auth.ts'
import type { Callable } from '../catalog/functions.ts'
import type { Context } from '../context.ts'
import { mergeArguments } from './model/merge-arguments.ts'
import { namesToIds } from './names/names-to-ids.ts'

/**
 * The arguments of one function from what the user says, with those that a model found before those found offline; names of things that the
 * user's app knows become their ids.
 */
export async function fillArguments(
  ctx: Context,
  caller: Caller,
  callable: Callable,
  input: ArgumentInput,
  fromModel: Readonly<Record<string, unknown>> = {},
): Promise<PredictedArguments> {
  const found = mergeArguments(offlineArguments(ctx.prediction, callable, input), fromModel, input.prompt)
  return await namesToIds(ctx, caller, callable, input, found)
}

/** As `fillArguments`, with nobody asked. */
export function offlineArguments(
  { argumentWeights }: Pick<Context['prediction'], 'argumentWeights'>,
  { fn, check }: Callable,
  input: ArgumentInput,
): PredictedArguments {
  const { title, description, app, parameters } = fn
  return predictArguments({ check, ...parameters, about: `${title} ${description}`, title, app }, input, argumentWeights)
}

/** As `arguments` goes over the wire. */
export function valuesOf(args: PredictedArguments): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, { value }]) => [name, value]))
}

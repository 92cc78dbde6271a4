import { isDeepStrictEqual } from 'node:util'
import type { AppFunction } from '@onward/catalog'
import { onlyTag } from '@onward/catalog'
import {
  type ArgumentInput,
  type ArgumentWeights,
  inSlices,
  type Origin,
  type PredictedArgument,
  type PredictedArguments,
  predictArguments,
  type Variables,
} from '@onward/predict'
import { Refusal, type UserKey } from '@onward/runtime'
import type { Callable } from '../catalog/functions.ts'
import type { ServedApplications } from '../served-applications.ts'
import type { Model } from './model/model.ts'
import { modelFor } from './model-for.ts'
import { type NameParts, namesToIds } from './names/names-to-ids.ts'

/** The parts that predicting arguments needs. */
export type FillParts = NameParts & {
  readonly prediction: { readonly argumentWeights: ArgumentWeights; readonly model: Pick<Model, 'fill'> | undefined }
}

/**
 * Predicts the arguments of a function. Valid arguments of the model replace those found offline. Names of things in the user's app are
 * replaced by their ids.
 */
export async function fillArguments(
  parts: FillParts,
  caller: UserKey,
  callable: Callable,
  input: ArgumentInput,
  fromModel: Readonly<Record<string, unknown>> = {},
): Promise<PredictedArguments> {
  const found = mergeArguments(await offlineArguments(parts.prediction, callable, input), fromModel, input.prompt)
  return await namesToIds(parts, caller, callable, input, found)
}

/** Like `fillArguments`, but sends no request. */
export async function offlineArguments(
  { argumentWeights }: Pick<FillParts['prediction'], 'argumentWeights'>,
  { fn, check }: Callable,
  input: ArgumentInput,
): Promise<PredictedArguments> {
  const { title, description, app, parameters } = fn
  const fillable = { check, ...parameters, about: `${title} ${description}`, title, app }
  return await inSlices(predictArguments(fillable, input, argumentWeights))
}

/** Returns the predicted values of the parameters of `fn`, without their origins, as the API returns them. */
export function valuesOf(args: PredictedArguments, fn: AppFunction): Record<string, unknown> {
  return Object.fromEntries(Object.entries(shownArguments(args, fn)).map(([name, { value }]) => [name, value]))
}

/** Returns the predicted arguments of the parameters that a function has. Rules can hide parameters. */
export function shownArguments(args: PredictedArguments, { parameters }: AppFunction): PredictedArguments {
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(parameters.properties, name)))
}

/**
 * Like `fillArguments`, with the arguments that the model server suggests, if one is configured. `gone` aborts when the client disconnects.
 */
export async function fillWithModel(
  parts: FillParts & { readonly applications: Pick<ServedApplications, 'held' | 'read'> },
  caller: UserKey,
  callable: Callable,
  input: ArgumentInput,
  gone: AbortSignal,
): Promise<PredictedArguments> {
  return await fillArguments(parts, caller, callable, input, await (await modelFor(parts, caller))?.fill(input, callable, gone))
}

/**
 * Confidence of a value that only the model found, and of a value that the model and the offline prediction agree on. Neither is measured,
 * because they depend on the model.
 */
const MODEL_CONFIDENCE = 0.8
const AGREED_CONFIDENCE = 0.95

/** Merges valid arguments of a model into those found offline. The model's value wins. When both agree, the offline origin is kept. */
function mergeArguments(offline: PredictedArguments, model: Readonly<Record<string, unknown>>, prompt: string | null): PredictedArguments {
  const merged: Record<string, PredictedArgument> = { ...offline }
  for (const [name, value] of Object.entries(model)) {
    const found = Object.hasOwn(offline, name) ? offline[name] : undefined
    if (found !== undefined && isDeepStrictEqual(found.value, value)) {
      merged[name] = { ...found, confidence: Math.max(found.confidence, AGREED_CONFIDENCE) }
    } else {
      merged[name] = { value, origin: originOf(value, prompt ?? ''), confidence: MODEL_CONFIDENCE }
    }
  }
  return merged
}

function originOf(value: unknown, prompt: string): Origin {
  if (typeof value !== 'string' || value === '') return { from: 'model' }
  const tag = onlyTag(value)
  if (tag !== undefined) return { from: 'variable', variable: tag }
  const found = new RegExp(value.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu').exec(prompt)
  return found === null ? { from: 'model' } : { from: 'prompt', span: [found.index, found.index + found[0].length] }
}

/** Maximum size of the variables that are used to predict arguments, as JSON. Each can be checked for many parameters. */
const MAX_VARIABLES_CHARACTERS = 200_000

/** Returns the variables that fit into MAX_VARIABLES_CHARACTERS, in their order; null when none were sent. */
export function readVariables(sent: Variables | null | undefined): Variables | null {
  if (sent === null || sent === undefined) return null
  let size = 0
  return Object.fromEntries(
    Object.entries(sent).filter(([name, value]) => {
      const own = name.length + JSON.stringify(value).length
      if (size + own > MAX_VARIABLES_CHARACTERS) return false
      size += own
      return true
    }),
  )
}

/** Returns the time zone that the caller names, or UTC. Throws a Refusal when the time zone does not exist. */
export function readTimeZone(name: string | null | undefined): string {
  if (!name) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw new Refusal('invalid_parameters', 'the parameters are not valid', ['time_zone: must be a time zone, such as Europe/Rome'])
  }
}

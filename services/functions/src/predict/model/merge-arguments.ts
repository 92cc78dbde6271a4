import { isDeepStrictEqual } from 'node:util'
import { onlyTag } from '@onward/catalog'
import type { Origin, PredictedArgument, PredictedArguments } from '@onward/predict'

/** How sure a model's own argument is, and one that both find. Not measured: no model is the same. */
const MODELS = 0.8
const BOTHS = 0.95

/** A model's valid arguments over the offline ones, which stay where the model gives none. What both give keeps its place in the prompt. */
export function mergeArguments(
  offline: PredictedArguments,
  model: Readonly<Record<string, unknown>>,
  prompt: string | null,
): PredictedArguments {
  const merged: Record<string, PredictedArgument> = { ...offline }
  for (const [name, value] of Object.entries(model)) {
    const found = Object.hasOwn(offline, name) ? offline[name] : undefined
    if (found !== undefined && isDeepStrictEqual(found.value, value)) {
      merged[name] = { ...found, confidence: Math.max(found.confidence, BOTHS) }
    } else {
      merged[name] = { value, origin: originOf(value, prompt ?? ''), confidence: MODELS }
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

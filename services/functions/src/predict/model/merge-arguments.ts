import { isDeepStrictEqual } from 'node:util'
import type { Origin, PredictedArgument, PredictedArguments } from '@onward/predict'

const ONE_TAG = /^\{([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)\}$/

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
  const tag = ONE_TAG.exec(value)?.[1]
  if (tag !== undefined) return { from: 'variable', variable: tag }
  const start = prompt.indexOf(value)
  return start < 0 ? { from: 'model' } : { from: 'prompt', span: [start, start + value.length] }
}

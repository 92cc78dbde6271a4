import type { Asking, PredictedArguments } from '@onward/predict'
import type { Callable } from '../catalog/functions.ts'
import type { Context } from '../context.ts'
import { fillArguments } from './fill.ts'

export type PredictRequest = Asking & {
  readonly prompt: string
  readonly withArguments: boolean
  /** Whether the user has connected an app. */
  readonly connected: (app: string) => boolean
  /** How many functions at most. */
  readonly count: number
}

export type Predicted = {
  readonly callable: Callable
  /** 0 to 1. */
  readonly confidence: number
  /** Where they were asked for. */
  readonly arguments?: PredictedArguments
}

/** The functions that a prompt means, best first; none when nothing fits. */
export function predictFunctions(ctx: Context, { withArguments, connected, count, ...asking }: PredictRequest): Predicted[] {
  const { functions, ranker } = ctx.catalog.current
  const { fits, ranked } = ranker.rank(asking.prompt, { connected, count })
  if (!fits) return []
  return ranked.flatMap(({ number, confidence }) => {
    const callable = functions.all[number]
    if (callable === undefined) return []
    return { callable, confidence, ...(withArguments ? { arguments: fillArguments(callable, asking) } : {}) }
  })
}

import { setImmediate } from 'node:timers/promises'
import type { ArgumentInput, PredictedArguments } from '@onward/predict'
import type { Caller } from '../auth.ts'
import type { Callable } from '../catalog/functions.ts'
import type { Context } from '../context.ts'
import { fillArguments, offlineArguments } from './fill.ts'
import type { Advice } from './model/advise.ts'

export type PredictRequest = ArgumentInput & {
  readonly prompt: string
  readonly withArguments: boolean
  /** Whether the user has connected an app. */
  readonly connected: (app: string) => boolean
  /** How many functions at most. */
  readonly count: number
  /** Aborted when nobody waits for the answer any more. */
  readonly gone: AbortSignal
}

export type Predicted = {
  readonly callable: Callable
  /** 0 to 1. */
  readonly confidence: number
  /** Where they were asked for. */
  readonly arguments?: PredictedArguments
}

/** The functions that a prompt means, best first; none when nothing fits. */
export async function predictFunctions(ctx: Context, caller: Caller, request: PredictRequest): Promise<readonly Predicted[]> {
  const { withArguments, connected, count, gone, ...input } = request
  const past = await ctx.prediction.past.of(caller.appKey)
  const { functions, ranker } = ctx.catalog.current
  const offline = ranker.rank(input.prompt, { connected, count: Math.max(count, ctx.prediction.model?.candidates ?? 0), past })
  const advice: Advice = (await ctx.prediction.model?.advise({ input, offline, functions, withArguments, gone })) ?? { ranking: offline }
  const { fits, ranked } = advice.ranking
  if (!fits) return []
  const best = ranked.slice(0, count).flatMap(({ number, confidence }) => {
    const callable = functions.all[number]
    return callable === undefined ? [] : [{ callable, confidence }]
  })
  const predicted = withArguments ? await fillAll(best) : best
  const named = best.map(({ callable: { fn }, confidence }) => ({ name: fn.name, confidence }))
  ctx.prediction.past.note(caller, input.prompt, named)
  return predicted

  // A long prompt takes a while for each function: other requests have their turn in between.
  async function fillAll(all: readonly Predicted[]): Promise<readonly Predicted[]> {
    const filled: Predicted[] = []
    for (const [place, each] of all.entries()) {
      filled.push(await fill(each, place))
      await setImmediate()
    }
    return filled
  }

  // Only for the best one the user's app is asked.
  async function fill(each: Predicted, place: number): Promise<Predicted> {
    const { callable } = each
    if (place > 0) return { ...each, arguments: offlineArguments(ctx.prediction, callable, input) }
    return { ...each, arguments: await fillArguments(ctx, caller, callable, input, advice.arguments) }
  }
}

import type { AppFunction } from '@onward/catalog'
import { type ArgumentInput, furtherRequest, nextTurn, type PredictedArguments, type Ranking, type RefusalReason } from '@onward/predict'
import type { UserKey } from '@onward/runtime'
import type { Callable } from '../catalog/functions.ts'
import type { ServedApplications } from '../served-applications.ts'
import { type FillParts, fillArguments, offlineArguments } from './fill-arguments.ts'
import type { Advice } from './model/advise.ts'
import type { Model } from './model/model.ts'
import { modelFor } from './model-for.ts'
import type { LearntPast } from './past.ts'

/** The parts that predicting functions needs. */
type PredictParts = FillParts & {
  readonly applications: Pick<ServedApplications, 'held' | 'read'>
  readonly prediction: { readonly model: Model | undefined; readonly past: LearntPast; warmUp(): Promise<void> }
}

type PredictRequest = ArgumentInput & {
  readonly prompt: string
  readonly withArguments: boolean
  /** Whether the user has connected an app. */
  readonly connected: (app: string) => boolean
  /** Whether a function may be returned; undefined if all may. */
  readonly wanted: ((fn: AppFunction) => boolean) | undefined
  /** Whether the rules of the application deny every call of a function. */
  readonly denied: (fn: AppFunction) => boolean
  /** The largest number of functions to return. */
  readonly count: number
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal
}

export type Predicted = {
  readonly callable: Callable
  /** 0 to 1. */
  readonly confidence: number
  /** Only when they were asked for. */
  readonly arguments?: PredictedArguments
}

type Named = { readonly name: string; readonly confidence: number }

export type Predictions = {
  /** Best first; empty when no function fits. */
  readonly predicted: readonly Predicted[]
  /** Functions for what the prompt asks for after its first request. */
  readonly further: readonly Named[]
  /** Why no function fits, with at most three of the nearest functions. */
  readonly refused?: { readonly reason: RefusalReason; readonly product: string | undefined; readonly nearest: readonly Named[] }
  /** What the model server did; undefined when none is configured. */
  readonly advice: Advice | undefined
}

const MAX_NEAREST = 3
/** So many of the best functions may be denied, and others still take their place. */
const MAX_DENIED = 10
/** The number of similar past prompts that the model gets as examples. */
const MAX_EXAMPLES = 5
/** The lowest confidence of a function for a further request. */
const FURTHER_CONFIDENCE = 0.5

/** Returns the functions that do what a prompt asks for. */
export async function predictFunctions(parts: PredictParts, caller: UserKey, request: PredictRequest): Promise<Predictions> {
  const { withArguments, connected, wanted: isWanted, denied, count, gone, ...input } = request
  const past = await parts.prediction.past.of(caller)
  await nextTurn()
  const { functions, ranker: openRanker } = parts.catalog.current
  const ranker = await openRanker()
  const isWantedNumber = (number: number) => {
    const fn = functions.all[number]?.fn
    return fn !== undefined && (isWanted === undefined || isWanted(fn))
  }
  const model = await modelFor(parts, caller)
  const most = Math.max(count, model?.candidates ?? 0)
  const offline = rank(input.prompt, most)
  const advice = await askModel()
  const { fits, ranked, refused } = advice?.ranking ?? offline
  if (!fits) {
    const { reason, product } = refused ?? { reason: 'out_of_scope' as const, product: undefined }
    const nearest = namesOf(callablesOf(offline.ranked.slice(0, MAX_NEAREST))).filter(({ confidence }) => confidence > 0)
    return { predicted: [], further: [], refused: { reason, product, nearest }, advice }
  }
  const best = callablesOf(ranked.slice(0, count))
  const predicted = withArguments ? await fillAll(best) : best
  const named = namesOf(best)
  parts.prediction.past.note(caller, input.prompt, named)
  return { predicted, further: rankFurther().filter(({ name }) => name !== named[0]?.name), advice }

  function rank(prompt: string, size: number): ReturnType<typeof ranker.rank> {
    const wanted = isWanted && isWantedNumber
    const ranking = ranker.rank(prompt, { connected, wanted, count: size + MAX_DENIED, past })
    const ranked = ranking.ranked.filter(({ number }) => !isDenied(number)).slice(0, size)
    return { ...ranking, fits: ranking.fits && ranked.length > 0, ranked }
  }

  function isDenied(number: number): boolean {
    const fn = functions.all[number]?.fn
    return fn === undefined || denied(fn)
  }

  async function askModel(): Promise<Advice | undefined> {
    const similar = past?.similar(input.prompt, MAX_EXAMPLES) ?? []
    const owner = `${caller.appKey} ${caller.userId}`
    const question = { input, offline, functions, wanted: isWantedNumber, connected, past: similar, owner, withArguments, gone }
    return await model?.advise(question)
  }

  function rankFurther(): readonly Named[] {
    const asked = furtherRequest(input.prompt)
    const further = asked === undefined ? undefined : rank(asked, 1)
    const sure = further?.fits === true ? further.ranked.filter(({ confidence }) => confidence >= FURTHER_CONFIDENCE) : []
    return namesOf(callablesOf(sure))
  }

  function callablesOf(all: Ranking['ranked']): readonly Predicted[] {
    return all.flatMap(({ number, confidence }) => {
      const callable = functions.all[number]
      return callable === undefined ? [] : [{ callable, confidence }]
    })
  }

  async function fillAll(all: readonly Predicted[]): Promise<readonly Predicted[]> {
    await parts.prediction.warmUp()
    const filled: Predicted[] = []
    for (const [place, each] of all.entries()) filled.push(await fill(each, place))
    return filled
  }

  // The user's app is called only for the best function.
  async function fill(each: Predicted, place: number): Promise<Predicted> {
    const { callable } = each
    if (place > 0) return { ...each, arguments: await offlineArguments(parts.prediction, callable, input) }
    return { ...each, arguments: await fillArguments(parts, caller, callable, input, advice?.arguments) }
  }
}

function namesOf(all: readonly Predicted[]): readonly Named[] {
  return all.map(({ callable: { fn }, confidence }) => ({ name: fn.name, confidence }))
}

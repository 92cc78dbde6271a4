import { type ArgumentInput, moveToFront, type PastPrompt, type Ranked, type Ranking, type RefusalReason } from '@onward/predict'
import type { Log } from '@onward/runtime'
import type { Functions } from '../../catalog/functions.ts'
import type { ModelSettings } from '../../config.ts'
import type { Choice, Chooser } from './choose.ts'
import type { Embeddings } from './embeddings.ts'
import { fill } from './fill.ts'
import { askModel } from './model-error.ts'
import type { ModelServer, Spent } from './model-server.ts'

export type Advice = {
  readonly ranking: Ranking
  /** Whether the model's choice decided. */
  readonly path: 'offline' | 'model'
  /** The valid arguments of the first function by parameter, with variables as tags. */
  readonly arguments?: Readonly<Record<string, unknown>>
  /** The names of the functions that the model could choose from. */
  readonly offered: readonly string[]
  readonly spent: Spent
}

type Parts = {
  readonly settings: Pick<ModelSettings, 'offered' | 'timeoutMs'>
  /** Undefined when no chat model is configured. */
  readonly chat: { readonly server: Pick<ModelServer, 'chat'>; readonly requestTokens: number; readonly chooser: Chooser } | undefined
  readonly embeddings: Embeddings | undefined
  readonly log: Log
}

export type Question = {
  readonly input: ArgumentInput & { readonly prompt: string }
  readonly offline: Ranking & { mayBeFirst(number: number): boolean }
  readonly functions: Functions
  /** Whether a function may be returned. */
  readonly wanted: (number: number) => boolean
  readonly connected: (app: string) => boolean
  /** Similar earlier requests of the user. */
  readonly past: readonly PastPrompt[]
  /** Identifies the user. */
  readonly owner: string
  /** Whether the caller asked for arguments. */
  readonly withArguments: boolean
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal
}

const MAX_NEAREST = 50

/**
 * Fuses the offline ranking with the ranking by embeddings, lets the model choose among the first functions, and then fill in arguments.
 * If the model chooses nothing and names no reason, returns the offline ranking. A destructive function is not the first one unless the
 * prompt asks for destruction, whatever the model chose.
 */
export async function advise({ settings, chat, embeddings, log }: Parts, question: Question): Promise<Advice> {
  const { input, offline, functions, wanted, withArguments, gone, ...rest } = question
  const spent: Spent = { requests: 0, promptTokens: 0, completionTokens: 0 }
  // At the deadline, the last complete result is returned.
  let advice: Advice = { ranking: offline, path: 'offline', offered: [], spent }
  await askModel(log, settings.timeoutMs, gone, async (signal) => {
    const turn = { signal, spent }
    const nearest = (await embeddings?.nearest(input.prompt, functions, MAX_NEAREST, signal)) ?? []
    const fused = fuse(offline.ranked, nearest.filter(wanted))
    advice = { ...advice, ranking: { ...offline, ranked: descending(moveToFront(fused, offline.mayBeFirst)) } }
    const candidates = fused.slice(0, settings.offered).flatMap(({ number }) => functions.all[number] ?? [])
    if (chat === undefined || candidates.length === 0) return
    const { choice, offered } = await chat.chooser.choose({ ...rest, prompt: input.prompt, offered: candidates }, turn)
    advice = { ...advice, offered: offered.map(({ fn }) => fn.name), ...decide(choice) }
    const first = functions.all[advice.ranking.ranked[0]?.number ?? -1]
    if (!withArguments || !advice.ranking.fits || first === undefined) return
    await fill({ ...chat, callable: first, input, turn }, (valid) => {
      advice = { ...advice, arguments: valid }
    })
  })
  return advice

  function decide(choice: Choice): Pick<Advice, 'ranking' | 'path'> {
    if ('reason' in choice) {
      return choice.reason === undefined ? advice : { ranking: refusedFor(choice.reason, offline), path: 'model' }
    }
    const number = functions.all.findIndex(({ fn }) => fn.name === choice.name)
    const chosen = moveToFirst(advice.ranking.ranked, number)
    const ranked = descending(moveToFront(chosen, offline.mayBeFirst))
    return { ranking: { fits: ranked.length > 0, ranked }, path: ranked[0]?.number === number ? 'model' : 'offline' }
  }
}

function refusedFor(reason: RefusalReason, { ranked, refused }: Ranking): Ranking {
  const product = refused?.reason === reason ? refused.product : undefined
  return { fits: false, ranked, refused: { reason, product } }
}

/** Lowers confidences, so that none is higher than the one before it. */
function descending(ranked: readonly Ranked[]): Ranked[] {
  let least = 1
  return ranked.map(({ number, confidence }) => {
    least = Math.min(least, confidence)
    return { number, confidence: least }
  })
}

/**
 * `EVIDENCE`: a model chooses a right function so many times as often as a wrong one. `MIN_CONFIDENCE`: the offline confidence that a chosen
 * function has at least. Both are estimates: no model server was part of the evaluation.
 */
const EVIDENCE = 10
const MIN_CONFIDENCE = 0.05

/** Returns the confidence of the function that the model chose, by Bayes' rule from its offline confidence. */
function confidenceOfChosen(offline: number): number {
  const odds = (EVIDENCE * Math.max(MIN_CONFIDENCE, offline)) / Math.max(0.001, 1 - offline)
  return Math.round((1_000 * odds) / (1 + odds)) / 1_000
}

/** Moves the function that the model chose to the first place. */
function moveToFirst(ranked: readonly Ranked[], number: number): Ranked[] {
  const own = ranked.find((each) => each.number === number)?.confidence ?? 0
  return [{ number, confidence: confidenceOfChosen(own) }, ...ranked.filter((each) => each.number !== number)]
}

/** The usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const K = 60

/**
 * Fuses two rankings by reciprocal rank; on a tie the offline ranking decides. Confidences stay with the ranks of the offline ranking,
 * because embeddings have none.
 */
export function fuse(offline: readonly Ranked[], nearest: readonly number[]): Ranked[] {
  if (nearest.length === 0) return [...offline]
  const scores = new Map<number, number>()
  for (const numbers of [offline.map(({ number }) => number), nearest]) {
    for (const [place, number] of numbers.entries()) scores.set(number, (scores.get(number) ?? 0) + 1 / (K + 1 + place))
  }
  const confidences = offline.map(({ confidence }) => confidence).sort((a, b) => b - a)
  const least = confidences.at(-1) ?? 0
  return [...scores].sort(([, a], [, b]) => b - a).map(([number], place) => ({ number, confidence: confidences[place] ?? least }))
}

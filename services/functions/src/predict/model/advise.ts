import { type ArgumentInput, moveToFront, openMayBeFirst, type Ranked, type Ranking } from '@onward/predict'
import type { Log } from '@onward/runtime'
import type { Functions } from '../../catalog/functions.ts'
import { askForCall } from './ask-for-call.ts'
import type { Embeddings } from './embeddings.ts'
import { askModel } from './model-error.ts'
import type { ModelServer } from './model-server.ts'

/** `arguments` are the valid arguments of the first function by parameter, with variables as tags. */
export type Advice = { readonly ranking: Ranking; readonly arguments?: Readonly<Record<string, unknown>> }

type Parts = {
  /** Undefined when no chat model is configured. */
  readonly server: Pick<ModelServer, 'chat'> | undefined
  readonly embeddings: Embeddings | undefined
  readonly deadlineMs: number
  readonly log: Log
}

export type Question = {
  readonly input: ArgumentInput & { readonly prompt: string }
  readonly offline: Ranking
  readonly functions: Functions
  /** Whether a function may be returned. */
  readonly wanted: (number: number) => boolean
  /** Whether the caller asked for arguments. */
  readonly withArguments: boolean
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal
}

/** The number of functions that the model can choose from. */
const MAX_OFFERED = 10
const MAX_NEAREST = 50
/** The lowest confidence of the function that the model chose. It is not measured, because it depends on the model. */
const CHOSEN_CONFIDENCE = 0.9

/**
 * Fuses the offline ranking with the ranking by embeddings, and lets the model choose among the first functions. When the model calls no
 * tool, no function fits. When it calls an unknown tool, its response is ignored. A destructive function is not offered to the model, and not
 * the first one, unless the prompt asks for destruction.
 */
export async function advise({ server, embeddings, deadlineMs, log }: Parts, question: Question): Promise<Advice> {
  const { input, offline, functions, wanted, gone } = question
  const asked = openMayBeFirst(input.prompt)
  const mayBeFirst = (number: number) => functions.all[number] !== undefined && asked(functions.all[number].fn)
  // At the deadline, the last complete result is returned.
  let advice: Advice = { ranking: offline }
  await askModel(log, deadlineMs, gone, async (signal) => {
    const nearest = (await embeddings?.nearest(input.prompt, functions, MAX_NEAREST, signal)) ?? []
    const fused = fuse(offline.ranked, nearest.filter(wanted))
    const ranked = descending(moveToFront(fused, mayBeFirst))
    advice = { ranking: { fits: offline.fits, ranked } }
    const offered = fused.flatMap(({ number }) => (mayBeFirst(number) ? (functions.all[number] ?? []) : [])).slice(0, MAX_OFFERED)
    if (server === undefined || offered.length === 0) return
    const choice = await askForCall(server, offered, { input, purpose: 'choose', signal })
    if (choice === 'none') advice = { ranking: { fits: false, ranked: [] } }
    if (typeof choice === 'string') return
    const ranking = { fits: true, ranked: moveToFirst(ranked, functions.all.indexOf(choice.callable)) }
    advice = { ranking, arguments: choice.arguments }
    if (question.withArguments) advice = { ranking, arguments: await choice.repaired() }
  })
  return advice
}

/** Lowers confidences, so that none is higher than the one before it. */
function descending(ranked: readonly Ranked[]): Ranked[] {
  let least = 1
  return ranked.map(({ number, confidence }) => {
    least = Math.min(least, confidence)
    return { number, confidence: least }
  })
}

/** Moves a function to the first place, with the highest confidence. */
function moveToFirst(ranked: readonly Ranked[], number: number): Ranked[] {
  const others = ranked.filter((each) => each.number !== number)
  const own = ranked.find((each) => each.number === number)?.confidence ?? 0
  return [{ number, confidence: Math.max(own, CHOSEN_CONFIDENCE, ...others.map(({ confidence }) => confidence)) }, ...others]
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

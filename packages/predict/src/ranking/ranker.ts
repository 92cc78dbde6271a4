import { inSlices, type Steps } from '../in-slices.ts'
import { buildIndex } from './build-index.ts'
import { limitLearning } from './caution.ts'
import { confidenceFeaturesOf, probability, refusalCutoff } from './confidence.ts'
import { moveToFront, openMayBeFirst } from './destruction.ts'
import { featuresOf } from './features.ts'
import type { Rankable } from './function-text.ts'
import type { RankingKnowledge } from './knowledge.ts'
import { type Candidate, type CandidateRows, NAMED, order } from './order.ts'
import type { Past } from './past.ts'
import { type Query, readQuery } from './query.ts'
import { openRecall } from './recall.ts'
import { openRetrieval, type Retrieved } from './retrieve.ts'

/** `number` is the position of the function in the list that the ranker was built from. */
export type Ranked = {
  readonly number: number
  /** 0 to 1: the probability that the prompt means this function. */
  readonly confidence: number
}

export type Ranking = {
  /** False when no function fits. */
  readonly fits: boolean
  /** Best first. */
  readonly ranked: readonly Ranked[]
}

export type Ranker = {
  /**
   * Returns the most relevant functions, at most `count`. The first one is destructive only if the prompt asks for destruction.
   * `connected` tells whether the user has connected an app. `past` holds past prompts. Only functions for which `wanted` returns true
   * are returned. They are preferred like functions of an app that the prompt names, but if another function fits much better, their
   * confidence is low.
   */
  rank(
    prompt: string,
    options: {
      readonly connected: (app: string) => boolean
      readonly count: number
      readonly past?: Past | undefined
      readonly wanted?: ((number: number) => boolean) | undefined
    },
  ): Ranking
}

/** The bonus of a connected app when the prompt names no other app. It decides between similar functions; a much better one still wins. */
const CONNECTED = 3
/**
 * The penalty of a passthrough function: users who need a raw request ask for it, so it must not win when no other function of the app fits.
 */
const PASSTHROUGH = -3

/** Yields to the event loop while it builds. */
export async function buildRanker(functions: readonly Rankable[], knowledge: RankingKnowledge): Promise<Ranker> {
  return inSlices(build(functions, knowledge))
}

function* build(functions: readonly Rankable[], { english, model, outOfScope, vocabulary, texts }: RankingKnowledge): Steps<Ranker> {
  const index = yield* buildIndex(functions, english, vocabulary, texts)
  const retrieve = openRetrieval(index)
  const recall = openRecall(functions)
  const outOfScopeProbabilities: number[] = []
  for (const prompt of outOfScope) {
    outOfScopeProbabilities.push(fits(askOutOfScope(prompt)))
    yield
  }
  const cutoff = refusalCutoff(outOfScopeProbabilities)
  return {
    rank(prompt, { connected, count, past, wanted }) {
      const query = readQuery(index, prompt)
      const found = retrieve(query, connected, wanted)
      const asked = rowsOf(query, found)
      const recalled = recall(prompt, past)
      const isMeant = ({ app }: Rankable) => query.apps.size === 0 || query.apps.has(app.name)
      const requested = (number: number) => (wanted?.(number) === true && isMeant(functions[number] as Rankable) ? NAMED : 0)
      const extra = (number: number) => {
        const fn = functions[number] as Rankable
        const preferred = connected(fn.app.name) && isMeant(fn) ? CONNECTED : 0
        return Math.max(preferred, requested(number)) + (fn.type === 'PASSTHROUGH' ? PASSTHROUGH : 0)
      }
      const unlearnt = order(index, model.weights, asked, extra)
      const all = past === undefined ? unlearnt : limitLearning(functions, unlearnt, learn())
      const mayBeFirst = openMayBeFirst(prompt)
      const ranked = past === undefined ? best(all) : keepHalf(best(unlearnt), best(all, recalled.certainty))
      const [first] = ranked
      return { fits: first !== undefined && (recalled.certainty(first.number) > 0 || fits(asked, wanted, requested) >= cutoff), ranked }

      /** Returns the candidates to return. Confidence never increases from one rank to the next. */
      function best(ordered: readonly Candidate[], certainty: (number: number) => number = () => 0): Ranked[] {
        const allowed = wanted === undefined ? ordered : ordered.filter(({ number }) => wanted(number))
        const candidates = moveToFront(allowed, (number) => mayBeFirst(functions[number] as Rankable))
        let confidence = 1
        return candidates.slice(0, count).map((each, place) => {
          const confidenceFeatures = confidenceFeaturesOf(index, query, each, bestExcept(each, ordered))
          const right = Math.max(probability(model.right, confidenceFeatures), place === 0 ? certainty(each.number) : 0)
          confidence = Math.min(confidence, Math.round(right * 1_000) / 1_000)
          return { number: each.number, confidence }
        })
      }

      /** Returns the candidates with those that past prompts add, in the order that past prompts give them. */
      function learn(): Candidate[] {
        const { pool, scores } = recalled.addCandidates(found)
        const rows = pool.length === found.pool.length ? asked : rowsOf(query, { pool, scores })
        return order(index, model.weights, rows, (number) => extra(number) + recalled.score(number))
      }
    },
  }

  function rowsOf(query: Query, found: Retrieved): CandidateRows {
    return { query, pool: found.pool, rows: featuresOf(index, query, found) }
  }

  function askOutOfScope(prompt: string): CandidateRows {
    const query = readQuery(index, prompt)
    return rowsOf(query, retrieve(query))
  }

  /** Returns the probability that any wanted function fits. Connected apps do not change it. */
  function fits(asked: CandidateRows, wanted: (number: number) => boolean = () => true, requested?: (number: number) => number): number {
    const all = order(index, model.weights, asked, requested)
    const first = all.find(({ number }) => wanted(number))
    return first === undefined ? 0 : probability(model.fits, confidenceFeaturesOf(index, asked.query, first, bestExcept(first, all)))
  }
}

/** Returns the best of the other candidates. */
function bestExcept(one: Candidate, all: readonly Candidate[]): Candidate | undefined {
  return all.find((other) => other !== one)
}

/**
 * Raises what was learnt where it is below half of the confidence without past prompts, so that a wrong past prompt never hides the right
 * function. Confidence still never increases from one rank to the next.
 */
function keepHalf(unlearnt: readonly Ranked[], learnt: readonly Ranked[]): Ranked[] {
  const halves = new Map(unlearnt.map(({ number, confidence }) => [number, Math.ceil(confidence * 500) / 1_000]))
  let least = 0
  return learnt
    .toReversed()
    .map(({ number, confidence }) => {
      least = Math.max(least, confidence, halves.get(number) ?? 0)
      return { number, confidence: least }
    })
    .toReversed()
}

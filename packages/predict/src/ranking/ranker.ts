import { inSlices, type Steps } from '../in-slices.ts'
import { buildIndex, type Index, type Phrasings } from './build-index.ts'
import { limitLearning } from './caution.ts'
import { confidenceFeaturesOf, probability, refusalCutoff } from './confidence.ts'
import { moveToFront, openMayBeFirst } from './destruction.ts'
import { featuresOf } from './features.ts'
import type { Rankable } from './function-text.ts'
import type { Judge, RankingKnowledge } from './knowledge.ts'
import { type Candidate, type CandidateRows, isMeant, NEIGHBOUR, order, preference } from './order.ts'
import type { Past } from './past.ts'
import { type Query, readQuery } from './query.ts'
import { openRecall } from './recall.ts'
import { openRetrieval, type Retrieved, TYPED } from './retrieve.ts'
import type { RefusalReason } from './scope.ts'

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
  /** Why no function fits. `product` is what the prompt names, if it is no app of the catalog. */
  readonly refused?: { readonly reason: RefusalReason; readonly product: string | undefined }
}

export type Ranker = {
  /**
   * Returns the most relevant functions, at most `count`. The first one is destructive only if the prompt asks for destruction: `mayBeFirst`
   * tells whether a function may be the first one.
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
  ): Ranking & { mayBeFirst(number: number): boolean }
}

/** `written`: phrasings that a model wrote for functions without `phrasings`. Yields to the event loop while it builds. */
export async function buildRanker(
  functions: readonly Rankable[],
  knowledge: RankingKnowledge,
  phrasings: Phrasings = new Map(),
  written: Phrasings = new Map(),
): Promise<Ranker> {
  return inSlices(build(functions, knowledge, phrasings, written))
}

function* build(functions: readonly Rankable[], knowledge: RankingKnowledge, phrasings: Phrasings, written: Phrasings): Steps<Ranker> {
  const { encoder, model, outOfScope } = knowledge
  const index = yield* buildIndex(functions, phrasings, knowledge, written)
  const retrieve = openRetrieval(index)
  const recall = openRecall(functions)
  const outOfScopeProbabilities: number[] = []
  if (index.known.includes(false)) {
    for (const prompt of outOfScope) {
      outOfScopeProbabilities.push(fits(askOutOfScope(prompt)).probability)
      yield
    }
  }
  const cutoff = refusalCutoff(outOfScopeProbabilities)
  return {
    rank(prompt, { connected, count, past, wanted }) {
      const query = readQuery(index, encoder, prompt)
      const found = retrieve(query, connected, wanted)
      const asked = rowsOf(query, found)
      const recalled = recall(prompt, past)
      const requested = (number: number) => (wanted?.(number) === true && isMeant(functions[number] as Rankable, query) ? TYPED.named : 0)
      const extra = (number: number) => preference(index, number, query, connected, requested(number))
      const unlearnt = order(index, model.weights, asked, extra)
      const all = past === undefined ? unlearnt : limitLearning(functions, unlearnt, learn())
      const maySee = openMayBeFirst(query.plain)
      const mayBeFirst = (number: number) => maySee(functions[number] as Rankable)
      const ranked = past === undefined ? best(all) : keepHalf(best(unlearnt), best(all, recalled.certainty))
      const [first] = ranked
      const isKnown = first !== undefined && recalled.certainty(first.number) > 0
      if (isKnown || (first !== undefined && doesFit(asked, wanted, requested))) return { fits: true, ranked, mayBeFirst }
      const { product, nothing, apps } = query
      const reason = product !== undefined && apps.size === 0 ? 'no_such_app' : nothing.reason
      return { fits: false, ranked, refused: { reason, product }, mayBeFirst }

      /** Returns the candidates to return. Confidence never increases from one rank to the next. */
      function best(ordered: readonly Candidate[], certainty: (number: number) => number = () => 0): Ranked[] {
        const allowed = wanted === undefined ? ordered : ordered.filter(({ number }) => wanted(number))
        const candidates = moveToFront(allowed, mayBeFirst)
        let confidence = 1
        return candidates.slice(0, count).map((each, place) => {
          const confidenceFeatures = confidenceFeaturesOf(index, query, each, bestExcept(each, ordered))
          const right = Math.max(
            probability(judgeOf(each).right, confidenceFeatures),
            place === 0 ? Math.max(certainty(each.number), closeness(index, each)) : 0,
          )
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
    const query = readQuery(index, encoder, prompt)
    return rowsOf(query, retrieve(query))
  }

  function judgeOf({ number }: Candidate): Judge {
    return index.known[number] ? model.typed : model.untyped
  }

  function doesFit(asked: CandidateRows, wanted?: (number: number) => boolean, requested?: (number: number) => number): boolean {
    const { first, probability: value } = fits(asked, wanted, requested)
    return first !== undefined && value >= (index.known[first.number] ? model.typed.cutoff : cutoff)
  }

  /** Returns the best wanted function, and the probability that any wanted function fits. Connected apps do not change it. */
  function fits(asked: CandidateRows, wanted: (number: number) => boolean = () => true, requested?: (number: number) => number) {
    const all = order(index, model.weights, asked, requested)
    const first = all.find(({ number }) => wanted(number))
    if (first === undefined) return { first, probability: 0 }
    const features = confidenceFeaturesOf(index, asked.query, first, bestExcept(first, all))
    return { first, probability: Math.max(probability(judgeOf(first).fits, features), closeness(index, first)) }
  }
}

/** The cosine from which a prompt is like a phrasing of the function. */
const CLOSE = 0.5

/** Returns how close a prompt is to a phrasing that a model wrote: from `CLOSE` to 1, or 0. */
function closeness({ phrased }: Index, { number, row }: Candidate): number {
  const near = row[NEIGHBOUR] as number
  return phrased[number] && near >= CLOSE ? near : 0
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

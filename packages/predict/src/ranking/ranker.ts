import { barOf } from './bar-of.ts'
import { buildIndex } from './build-index.ts'
import { featuresOf } from './features.ts'
import type { Rankable } from './function-text.ts'
import { inSlices } from './in-slices.ts'
import type { Knowledge } from './knowledge.ts'
import { probability } from './model.ts'
import { type Asked, order } from './order.ts'
import type { Past } from './past.ts'
import { readQuery } from './query.ts'
import { openRecall } from './recall.ts'
import { openRetrieval, type Retrieved } from './retrieve.ts'
import { signsOf } from './signs.ts'

/** `number` is the function's place in the list that the ranker was built of. */
export type Ranked = {
  readonly number: number
  /** 0 to 1: how probably it is the one that the prompt means. */
  readonly confidence: number
}

export type Ranking = {
  /** False: nothing fits. */
  readonly fits: boolean
  /** Best first. */
  readonly ranked: readonly Ranked[]
}

export type Ranker = {
  /** The most relevant functions, at most `count`. `connected` names the user's apps; `past` is what the application's users asked for before. */
  rank(
    prompt: string,
    options: { readonly connected: (app: string) => boolean; readonly count: number; readonly past?: Past | undefined },
  ): Ranking
}

/** What a connected app is worth where the prompt names no other: of functions that fit much alike, its own is meant. A much better one still wins. */
const CONNECTED = 2.5
/** A bare request to an app is meant by who asks for it; of a prompt that fits none of an app's functions, it must not be the best. */
const PASSTHROUGH = -3

/** Yields to the event loop while it builds. */
export async function buildRanker(functions: readonly Rankable[], knowledge: Knowledge): Promise<Ranker> {
  return inSlices(build(functions, knowledge))
}

function* build(functions: readonly Rankable[], { english, model, unfit, vocabulary, read }: Knowledge): Generator<void, Ranker> {
  const index = yield* buildIndex(functions, english, vocabulary, read)
  const retrieve = openRetrieval(index)
  const recall = openRecall(functions)
  const likely: number[] = []
  for (const prompt of unfit) {
    likely.push(fits(ask(prompt, () => false)))
    yield
  }
  const bar = barOf(likely)
  return {
    rank(prompt, { connected, count, past }) {
      const recalled = recall(prompt, past)
      const asked = ask(prompt, connected, recalled.join)
      const { apps } = asked.query
      const extra = (number: number) => {
        const { app, type } = functions[number] as Rankable
        const meant = connected(app.name) && (apps.size === 0 || apps.has(app.name))
        return (meant ? CONNECTED : 0) + (type === 'PASSTHROUGH' ? PASSTHROUGH : 0) + recalled.worth(number)
      }
      const candidates = order(index, model.weights, asked, extra)
      // None may seem surer than one before it.
      let confidence = 1
      const ranked = candidates.slice(0, count).map((each, place) => {
        const signs = signsOf(index, asked.query, each, candidates[place === 0 ? 1 : 0])
        const right = Math.max(probability(model.right, signs), place === 0 ? recalled.sure(each.number) : 0)
        confidence = Math.min(confidence, Math.round(right * 1_000) / 1_000)
        return { number: each.number, confidence }
      })
      const [first] = candidates
      return { fits: first !== undefined && (recalled.sure(first.number) > 0 || fits(asked) >= bar), ranked }
    },
  }

  function ask(prompt: string, connected: (app: string) => boolean, join = (found: Retrieved) => found): Asked {
    const query = readQuery(index, prompt)
    const found = join(retrieve(query, connected))
    return { query, pool: found.pool, rows: featuresOf(index, query, found) }
  }

  /** How probably anything fits. That its app is connected makes no function fit. */
  function fits(asked: Asked): number {
    const [first, second] = order(index, model.weights, asked)
    return first === undefined ? 0 : probability(model.fits, signsOf(index, asked.query, first, second))
  }
}

import type { AppFunction } from '@onward/catalog'
import { stems } from '../words/stems.ts'
import { buildBm25, type WeightedTerms } from './bm25.ts'

/** `number` is the function's place in the list that the ranker was built of. */
export type Ranked = {
  readonly number: number
  /** 0 to 1. */
  readonly confidence: number
}

export type Ranking = {
  /** False: nothing fits. */
  readonly fits: boolean
  /** Best first. */
  readonly ranked: readonly Ranked[]
}

export type Ranker = {
  /** The most relevant functions, at most `count`. `connected` names the user's apps. */
  rank(prompt: string, options: { readonly connected: (app: string) => boolean; readonly count: number }): Ranking
}

/** Scores this close are a tie, which a connected app wins. */
const TIE = 0.98

export function buildRanker(functions: readonly AppFunction[]): Ranker {
  const documents = functions.map(termsOf)
  const index = buildBm25(documents)
  return {
    rank(prompt, { connected, count }) {
      const query = stems(prompt)
      const best = [...index.scores(query)].sort(([, a], [, b]) => b - a)
      const most = best[0]?.[1] ?? 0
      const preferred = ([number, score]: readonly [number, number]) => score >= most * TIE && connected(functions[number]?.app.name ?? '')
      const ranked = [...best.filter(preferred), ...best.filter((each) => !preferred(each))]
        .slice(0, count)
        .map(([number]) => ({ number, confidence: coverage(query, documents[number] as WeightedTerms) }))
      return { fits: ranked.length > 0, ranked }
    },
  }

  function coverage(query: readonly string[], terms: WeightedTerms): number {
    const weights = [...new Set(query)].map((term) => ({ weight: index.idf(term), hit: terms.has(term) }))
    const all = weights.reduce((sum, { weight }) => sum + weight, 0)
    const hit = weights.reduce((sum, each) => sum + (each.hit ? each.weight : 0), 0)
    return all === 0 ? 0 : Math.round((hit / all) * 1_000) / 1_000
  }
}

function termsOf(fn: AppFunction): WeightedTerms {
  const parameters = Object.entries(fn.parameters.properties)
  const fields: readonly [string, number][] = [
    [fn.title, 3],
    [fn.name, 2],
    [`${fn.app.name} ${fn.app.title}`, 2],
    [fn.description, 1.5],
    [fn.examples.join(' '), 1],
    [parameters.map(([name]) => name).join(' '), 0.7],
    [parameters.map(([, { description }]) => description).join(' '), 0.3],
  ]
  const terms = new Map<string, number>()
  for (const [text, weight] of fields) {
    for (const stem of new Set(stems(text))) terms.set(stem, (terms.get(stem) ?? 0) + weight)
  }
  return terms
}

import type { AppFunction } from '@onward/catalog'
import { buildBm25, type WeightedTerms } from './bm25.ts'
import { stems } from './words.ts'

type Prediction = {
  readonly fn: AppFunction
  /** 0 to 1: how much of what the prompt says the function's own words cover. */
  readonly confidence: number
}

export type Predictor = {
  /** The most relevant function; undefined when no word of the prompt occurs in any. `connected` names the user's apps. */
  predict(prompt: string, connected: (app: string) => boolean): Prediction | undefined
}

/** Scores this close are a tie, which a connected app wins. */
const TIE = 0.98

export function makePredictor(functions: readonly AppFunction[]): Predictor {
  const documents = functions.map(termsOf)
  const index = buildBm25(documents)
  return {
    predict(prompt, connected) {
      const query = stems(prompt)
      const ranked = [...index.scores(query)].sort(([, a], [, b]) => b - a)
      const [first] = ranked
      if (first === undefined) return undefined
      const tied = ranked.filter(([, score]) => score >= first[1] * TIE)
      const [document] = tied.find(([number]) => connected(functions[number]?.app.name ?? '')) ?? first
      return { fn: functions[document] as AppFunction, confidence: coverage(query, documents[document] as WeightedTerms) }
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

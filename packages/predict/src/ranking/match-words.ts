import { stem } from '../words/stems.ts'
import type { Index } from './build-index.ts'
import type { Query } from './query.ts'

const MAX_WORDS = 24

/** `score` sums the rarity of the matched prompt words, divided by the length of the function's text. `coverage` is their share, 0 to 1. */
export type WordMatch = { readonly score: number; readonly coverage: number }

/**
 * Matches each function of the pool with the prompt word by word. Each prompt word counts by its best match in the function's text: 1 for
 * the same stem, otherwise the fourth power of the cosine similarity.
 */
export function matchWords({ english, vocabulary, words, texts }: Index, query: Query, pool: readonly number[]): WordMatch[] {
  const { vectors } = english
  const asked = query.words.slice(0, MAX_WORDS).map((word) => {
    const term = vocabulary.find(stem(word))
    return { term, number: vectors.find(word), weight: words.idf(term) }
  })
  const total = asked.reduce((sum, { weight }) => sum + weight, 0) || 1
  const rows = new Map<number, Float32Array>()
  const best = new Float32Array(asked.length)
  return pool.map((i) => {
    const about = texts[i]?.about ?? []
    best.fill(0)
    for (const term of about) {
      const row = rowOf(term)
      for (let w = 0; w < row.length; w++) if ((row[w] as number) > (best[w] as number)) best[w] = row[w] as number
    }
    const sum = asked.reduce((all, { weight }, w) => all + weight * (best[w] as number), 0)
    return { score: sum / (4 + about.length) ** 0.3, coverage: sum / total }
  })

  /** Returns how well a term matches each word of the prompt. */
  function rowOf(term: number): Float32Array {
    const known = rows.get(term)
    if (known !== undefined) return known
    const word = vocabulary.word(term)
    const row = new Float32Array(asked.length)
    for (const [w, each] of asked.entries()) {
      if (each.term === term) row[w] = 1
      else if (word >= 0 && each.number >= 0) row[w] = Math.max(0, vectors.cosine(word, each.number)) ** 4
    }
    rows.set(term, row)
    return row
  }
}

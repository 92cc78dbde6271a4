import type { Document } from '../sets/set.ts'
import { terms } from './terms.ts'

/** Okapi BM25 (Robertson and Zaragoza 2009) with the usual constants. */
const K1 = 1.2
const B = 0.75

/**
 * The lexical baseline: all that is said of a function is one document, each word counts as often as it occurs in it. Gives what ranks the functions
 * for a prompt, the first ten at most. It never abstains where a word is shared.
 */
export function rankByWords(documents: readonly Document[]): (prompt: string) => string[] {
  const lengths: number[] = []
  const holders = new Map<string, Map<number, number>>()
  for (const [number, { text }] of documents.entries()) {
    const all = terms(text)
    lengths.push(all.length)
    for (const term of all) {
      const counts = holders.get(term) ?? new Map<number, number>()
      holders.set(term, counts.set(number, (counts.get(number) ?? 0) + 1))
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)

  return (prompt) => {
    const scores = new Map<number, number>()
    for (const term of new Set(terms(prompt))) {
      const counts = holders.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [number, count] of counts) {
        const norm = K1 * (1 - B + (B * (lengths[number] ?? 0)) / average)
        scores.set(number, (scores.get(number) ?? 0) + (rarity * count * (K1 + 1)) / (count + norm))
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
    return best.slice(0, 10).map(([number]) => documents[number]?.name ?? '')
  }
}

import { stemmer } from 'stemmer'
import { type RankScores, rankOf, scoreRanking } from './score-set.ts'
import type { Document, EvalSet } from './sets.ts'

/** Okapi BM25 (Robertson and Zaragoza 2009) with the usual constants. */
const K1 = 1.2
const B = 0.75
const TOP = 10

/** NLTK's English list, without contractions. */
const STOP_WORDS = new Set(
  (
    'i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself they them ' +
    'their theirs themselves what which who whom this that these those am is are was were be been being have has had having do does did doing ' +
    'a an the and but if or because as until while of at by for with about against between into through during before after above below to ' +
    'from up down in out on off over under again further then once here there when where why how all any both each few more most other some ' +
    'such no nor not only own same so than too very s t can will just don should now'
  ).split(' '),
)

/** Returns the scores of the lexical baseline, or null for a set without ranking. */
export function evaluateBaseline({ documents, queries, ranked }: EvalSet): RankScores | null {
  if (!ranked) return null
  const rank = rankByWords(documents)
  return scoreRanking(queries.flatMap(({ prompt, gold }) => (prompt === null || gold.length === 0 ? [] : [rankOf(gold, rank(prompt))])))
}

/**
 * The lexical baseline: all texts of a function are one document, and each word counts as often as it occurs. Returns a function that ranks a
 * prompt and returns at most ten names. It never abstains when a word is shared.
 */
export function rankByWords(documents: readonly Document[]): (prompt: string) => string[] {
  const lengths: number[] = []
  const postings = new Map<string, Map<number, number>>()
  for (const [number, { text }] of documents.entries()) {
    const all = terms(text)
    lengths.push(all.length)
    for (const term of all) {
      const counts = postings.get(term) ?? new Map<number, number>()
      postings.set(term, counts.set(number, (counts.get(number) ?? 0) + 1))
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length)

  return (prompt) => {
    const scores = new Map<number, number>()
    for (const term of new Set(terms(prompt))) {
      const counts = postings.get(term) ?? new Map<number, number>()
      const rarity = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5))
      for (const [number, count] of counts) {
        const norm = K1 * (1 - B + (B * (lengths[number] ?? 0)) / average)
        scores.set(number, (scores.get(number) ?? 0) + (rarity * count * (K1 + 1)) / (count + norm))
      }
    }
    const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b)
    return best.slice(0, TOP).map(([number]) => documents[number]?.name ?? '')
  }
}

/** Returns the Porter stems of a text's words in order. Identifiers are split; stop words are left out. */
function terms(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .map((word) => stemmer(word))
}

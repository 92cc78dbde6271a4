import type { English } from './english.ts'

/** The stems of catalogs by number, with what English says of each. It only grows, so that a catalog that changes keeps its numbers. */
export type Vocabulary = {
  readonly size: number
  /** -1 for a stem that no function ever had. */
  find(stem: string): number
  add(stem: string): number
  /** How rare the stem is in general English, like an idf, 1 to 10: a small catalog's own idf says too little of words like "information". */
  rarity(term: number): number
  /** The number of the stem's word among the vectors, or -1. */
  word(term: number): number
  concepts(term: number): readonly number[]
}

/** As rare as a word that is not known at all. */
const UNKNOWN_PLACE = 60_000

/** How rare a word is in general English, by its number among the vectors, the most frequent first; -1: none of them. */
export function rarityOf(word: number): number {
  return Math.log(((word < 0 ? UNKNOWN_PLACE : word) + 20) / 6)
}

export function openVocabulary({ vectors, concepts }: English): Vocabulary {
  const numbers = new Map<string, number>()
  const rarities: number[] = []
  const words: number[] = []
  const groups: (readonly number[])[] = []
  return {
    get size() {
      return words.length
    },
    find: (stem) => numbers.get(stem) ?? -1,
    add(stem) {
      const known = numbers.get(stem)
      if (known !== undefined) return known
      const word = vectors.findStem(stem)
      numbers.set(stem, words.length)
      rarities.push(rarityOf(word))
      groups.push(concepts.of(stem))
      return words.push(word) - 1
    },
    rarity: (term) => rarities[term] as number,
    word: (term) => words[term] as number,
    concepts: (term) => groups[term] as readonly number[],
  }
}

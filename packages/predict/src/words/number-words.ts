import { stem } from './stem.ts'

export type WordNumbers = {
  /** A word's number; -1 for one of which neither it nor its stem is known. */
  find(word: string): number
  /** The number of the most frequent word of a stem, or -1. */
  findStem(stem: string): number
}

/** The words of a list, the most frequent first, by their place in it. */
export function numberWords(wordList: readonly string[]): WordNumbers {
  const numbers = new Map<string, number>()
  const byStem = new Map<string, number>()
  for (const [i, word] of wordList.entries()) {
    numbers.set(word, i)
    const root = stem(word)
    if (!byStem.has(root)) byStem.set(root, i)
  }
  return {
    find: (word) => numbers.get(word) ?? byStem.get(stem(word)) ?? -1,
    findStem: (root) => byStem.get(root) ?? -1,
  }
}

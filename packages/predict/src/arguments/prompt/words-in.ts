import type { Word } from './words-of.ts'

/** The words that start from one offset on and before another. */
export function wordsIn(words: readonly Word[], start: number, end: number): readonly Word[] {
  return words.slice(firstFrom(words, start), firstFrom(words, end))
}

/** The place of the first word that starts at or after an offset, by halving. */
export function firstFrom(words: readonly Word[], offset: number): number {
  let [low, high] = [0, words.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((words[middle] as Word).start < offset) low = middle + 1
    else high = middle
  }
  return low
}

import { stemmer } from 'stemmer'
import { contentWords, words } from './words.ts'

const MAX_KNOWN = 50_000
/** Longer words are not English. They are neither stemmed nor stored. */
const MAX_LENGTH = 50
const known = new Map<string, string>()

/** Returns the Porter stem of a lower-case word. */
export function stem(word: string): string {
  if (word.length > MAX_LENGTH) return word
  const before = known.get(word)
  if (before !== undefined) return before
  if (known.size >= MAX_KNOWN) known.clear()
  const made = stemmer(word)
  known.set(word, made)
  return made
}

/** Returns the stems of a text's words in order, without stop words. Identifiers are split (`postMessage`, `post_message`). */
export function stems(text: string): string[] {
  return contentWords(text).map(stem)
}

/** Returns the stems of all words of a name. Stop words stay, because they distinguish names such as `to` and `from`. */
export function nameStems(name: string): string[] {
  return words(name).map(stem)
}

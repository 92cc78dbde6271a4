import { stem } from './stem.ts'
import { contentWords, words } from './words.ts'

/** The stems (Porter) of a text's words in order, identifiers split (`postMessage`, `post_message`), stop words left out. */
export function stems(text: string): string[] {
  return contentWords(text).map(stem)
}

/** The stems of a name with every word kept: what says nothing in a sentence tells `to` from `from` as a name. */
export function nameStems(name: string): string[] {
  return words(name).map(stem)
}

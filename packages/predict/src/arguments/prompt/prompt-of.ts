import { type Word, wordsOf } from './words-of.ts'

export type Prompt = { readonly text: string; readonly words: readonly Word[] }

/** Past so many words a prompt is a document, in which no more is looked for by its words. */
const MOST_WORDS = 600

export function promptOf(text: string): Prompt {
  return { text, words: wordsOf(text).slice(0, MOST_WORDS) }
}

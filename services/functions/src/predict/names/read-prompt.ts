import { plain, type WordIn, wordsIn } from './words-in.ts'

/** A prompt as names are looked for in it. Offsets are UTF-16, end exclusive. */
export type ReadPrompt = {
  readonly text: string
  readonly words: readonly WordIn[]
  readonly quotes: readonly { readonly start: number; readonly end: number; readonly plain: string }[]
}

/** Longer prompts are documents; what they name stands at their beginning. */
const MAX_WORDS = 500
/** As long as a label may be: without a bound, a prompt of opening quotes alone would take a second. */
const QUOTED = /["“«‘`][^"”»’`\n]{1,200}["”»’`]|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu

export function readPrompt(text: string): ReadPrompt {
  const quotes = [...text.matchAll(QUOTED)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    plain: plain(match[0]),
  }))
  return { text, words: wordsIn(text).slice(0, MAX_WORDS), quotes }
}

/** The words between a name and what it is a name of. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our', 'your', 'this', 'that', 'it', 'them'])
export const BEFORE_NAMES: ReadonlySet<string> = new Set('to in on for from into at with of by named called'.split(' '))

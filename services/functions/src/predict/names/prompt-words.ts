/** The words and quotes of a prompt. Offsets are UTF-16; the end is exclusive. */
export type PromptWords = {
  readonly text: string
  readonly words: readonly FoldedWord[]
  readonly quotes: readonly { readonly start: number; readonly end: number; readonly foldedText: string }[]
}

/** Only the beginning of a longer prompt is searched. */
const MAX_WORDS = 500
/** Limited to the length of a label; without a limit, a prompt of opening quotes alone would take a second. */
const QUOTED = /["“«‘`][^"”»’`\n]{1,200}["”»’`]|(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu

export function promptWordsOf(text: string): PromptWords {
  const quotes = [...text.matchAll(QUOTED)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    foldedText: foldedText(match[0]),
  }))
  return { text, words: foldedWords(text).slice(0, MAX_WORDS), quotes }
}

/** Words that may stand before a name, or between a name and its noun. */
export const ARTICLES: ReadonlySet<string> = new Set(['the', 'a', 'an', 'my', 'our', 'your', 'this', 'that', 'it', 'them'])
export const BEFORE_NAMES: ReadonlySet<string> = new Set('to in on for from into at with of by named called'.split(' '))

/** A word in lower case without accents. Offsets are UTF-16; the end is exclusive. */
export type FoldedWord = { readonly text: string; readonly start: number; readonly end: number }

export function foldedWords(text: string): FoldedWord[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    text: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** Returns the folded words of a text, joined by spaces. */
export function foldedText(text: string): string {
  return foldedWords(text)
    .map((word) => word.text)
    .join(' ')
}

/** Whether two words are the same apart from a plural ending, or one begins with the other, as in `assign` and `assignee`. */
export function isSameWord(a: string, b: string): boolean {
  if (a === b || a === `${b}s` || b === `${a}s`) return true
  return Math.min(a.length, b.length) >= 5 && (a.startsWith(b) || b.startsWith(a))
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

import type { Label } from './labels.ts'
import type { Wanted } from './option.ts'
import { ARTICLES, BEFORE_NAMES, type ReadPrompt } from './read-prompt.ts'
import { isSame, type WordIn } from './words-in.ts'

/** How far before a name what it is a name of may stand, in words. */
const NEAR = 3

type Score = (label: Label, first: number, last: number, isSpelled: boolean) => number

/**
 * How much speaks for a label that stands in a prompt, from a first word to a last one, being meant as the name of what is wanted: 0
 * nothing, 4 or more hardly a doubt. What a word is, and stands by, is found once: many labels may begin with it.
 */
export function openScores({ text, words, quotes }: ReadPrompt, { nouns, about, span }: Wanted): Score {
  const isNoun = words.map((word) => nouns.some((noun) => isSame(noun, word.text)))
  const isAbout = words.map((word, at) => isNoun[at] || about.some((each) => isSame(each, word.text)))
  const isBeforeName = words.map((word) => BEFORE_NAMES.has(word.text))
  const before = lastBefore(words, (word) => !ARTICLES.has(word))
  const ahead = lastBefore(words, (word) => !ARTICLES.has(word) && !BEFORE_NAMES.has(word))
  const quoteOf = words.map(({ start, end }) => quotes.find((quote) => start >= quote.start && end <= quote.end))

  // "the Marketing pipeline", "channel general", "the board called Roadmap", "assign it to Ada".
  function isBeside(first: number, last: number): boolean {
    const at = ahead[first] ?? -1
    return (at >= first - NEAR && isNoun[at] === true) || isNoun[last + 1] === true
  }

  return ({ text: label, length }, first, last, isSpelled) => {
    const [start, end] = [words[first]?.start ?? 0, words[last]?.end ?? 0]
    const quote = quoteOf[first] === quoteOf[last] ? quoteOf[first] : undefined
    // A part of a quoted text is text.
    if (quote !== undefined && quote.plain !== label) return 0
    if (/[#@]/.test(text[start - 1] ?? '')) return 4
    if (length === 1 && isAbout[first]) return 0
    const extra = quote !== undefined || length > 1 || isSpelled ? 1 : 0
    if (isBeside(first, last)) return 3 + extra
    if (span !== undefined && start >= span[0] && end <= span[1]) return 3 + extra
    if (isBeforeName[before[first] ?? -1]) return 1.5 + extra
    return quote === undefined ? 0.5 + extra : 0
  }
}

/** For each word the place of the last one before it that is of a kind; -1 where there is none. */
function lastBefore(words: readonly WordIn[], isOfKind: (word: string) => boolean): number[] {
  let last = -1
  return words.map((word, at) => {
    const found = last
    if (isOfKind(word.text)) last = at
    return found
  })
}

import type { Place, Wanted } from './option.ts'
import { ARTICLES, BEFORE_NAMES, type ReadPrompt } from './read-prompt.ts'
import { isSame } from './words-in.ts'

/** How far before a name what it is a name of may stand, in words. */
const NEAR = 3

/** How much speaks for a label that stands in a prompt being meant as the name of what is wanted: 0 nothing, 4 or more hardly a doubt. */
export function placeScore(prompt: ReadPrompt, { option, first, last }: Place, { nouns, about, span }: Wanted): number {
  const { text, words, quotes } = prompt
  const { words: label } = option
  const [start, end] = [words[first]?.start ?? 0, words[last]?.end ?? 0]
  const quote = quotes.find((each) => start >= each.start && end <= each.end)
  // A part of a quoted text is text.
  if (quote !== undefined && quote.plain !== label.join(' ')) return 0
  if (/[#@]/.test(text[start - 1] ?? '')) return 4
  if (label.length === 1 && [...nouns, ...about].some((word) => isSame(word, label[0] as string))) return 0
  const isSpelled = /\p{Lu}/u.test(option.label) && text.slice(start, end) === option.label
  const extra = quote !== undefined || label.length > 1 || isSpelled ? 1 : 0
  if (isBeside(prompt, first, last, nouns)) return 3 + extra
  if (span !== undefined && start >= span[0] && end <= span[1]) return 3 + extra
  const before = words.slice(0, first).findLast((word) => !ARTICLES.has(word.text))?.text
  if (before !== undefined && BEFORE_NAMES.has(before)) return 1.5 + extra
  return quote === undefined ? 0.5 + extra : 0
}

/** "the Marketing pipeline", "channel general", "the board called Roadmap", "assign it to Ada". */
function isBeside({ words }: ReadPrompt, first: number, last: number, nouns: readonly string[]): boolean {
  const ahead = words
    .slice(Math.max(0, first - NEAR), first)
    .map(({ text }) => text)
    .filter((word) => !ARTICLES.has(word) && !BEFORE_NAMES.has(word))
  return [ahead.at(-1), words[last + 1]?.text].some((word) => word !== undefined && nouns.some((noun) => isSame(noun, word)))
}

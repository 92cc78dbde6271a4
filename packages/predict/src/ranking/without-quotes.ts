import { QUOTED } from '../arguments/find/quoted.ts'

// As in QUOTED, an opening mark ends the search for the closing one: none of these takes longer than the text is long.

/** 'I don't know' and ‘don’t’: a mark between letters closes nothing, and "Inc.'s" opens nothing. */
const SINGLE = /(?<![\p{L}\p{N}.)])['‘’](?:[^'‘’]|(?<=\p{L})['’](?=\p{L}))+['‘’](?![\p{L}\p{N}])/u
/** After a digit and before no word it is an inch, as in 5" pipe and 5"x7". */
const OPENING = /"(?:(?<!\p{N}")|(?=\p{L})(?!x\p{N}))/u
/** What has a space before it and a letter after it opens another one, and so may what has a word right after it. */
const DOUBLE = new RegExp(`${OPENING.source}[^"]*(?:(?<!\\s)"(?![\\p{Lu}\\p{Ll}])|"(?![\\p{L}\\p{N}]))`, 'u')
const OTHERS = /[«»‹›][^«»‹›]*[«»‹›]|「[^「」]*」|`[^`]*`/u
/** A whole quote, of one line or more. */
const CLOSED = new RegExp([SINGLE, DOUBLE, OTHERS].map(({ source }) => source).join('|'), 'gu')
/** "'em", "'90s" and "Q3 '25" are no quotes. */
const OPEN_SINGLE = /(?<![\p{L}\p{N}.)])['‘’](?!\d\d(?!\d)|(?:bout|cause|em|n|round|til|tis|twas)(?!\p{L}))/u
/** What is left of these was never closed. */
const OPEN = new RegExp(`${OPENING.source}|[«»‹›「」\`]|${OPEN_SINGLE.source}`, 'iu')
/** Left after a quote, these may be its real end: in "a 5" pipe" the inch closed it, in 'the boys' list' the plural. */
const END = /["«»‹›「」`]/
const END_SINGLE = /['‘’](?![\p{L}\p{N}])/u

/** What is left of a text, and whether it was cut where a quote may not have ended. */
type Unquoted = { readonly rest: string; readonly cut: boolean }

/**
 * A text without what is in quotes, which may hold quotes themselves. Where one is never closed, or may have closed too early, nothing
 * that follows is left: rather some words less than some of a message.
 */
export function withoutQuotes(quoted: string): Unquoted {
  const text = withFewMarks(quoted)
  let first = text.length
  let firstSingle = text.length
  const blank = (quote: string, at: number) => {
    first = Math.min(first, at)
    if (/^['‘’]/.test(quote)) firstSingle = Math.min(firstSingle, at)
    return ' '.repeat(quote.length)
  }
  const left = text.replace(CLOSED, blank).replace(CLOSED, blank)
  const ends = [
    left.search(OPEN),
    END.test(left.slice(first)) ? first : -1,
    END_SINGLE.test(left.slice(firstSingle)) ? firstSingle : -1,
  ].filter((at) => at >= 0)
  // Whatever is taken for an argument's text is none of the words.
  return { rest: left.slice(0, Math.min(left.length, ...ends)).replace(QUOTED, ' '), cut: ends.length > 0 }
}

/** A text with one kind of mark for those that are used alike. The mark in a Hebrew acronym, before its last letter, is none. */
function withFewMarks(text: string): string {
  return text
    .replace(/(?<=\p{sc=Hebrew})["”](?=\p{sc=Hebrew}(?!\p{L}))/gu, '״')
    .replace(/[‚‛❛]/g, '‘')
    .replaceAll('❜', '’')
    .replace(/[“”„‟〝〞〟❝❞]|([`'‘’])\1+/g, '"')
    .replace(/[『《〈]/g, '「')
    .replace(/[』》〉]/g, '」')
}

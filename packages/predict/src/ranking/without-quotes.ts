import { QUOTED } from '../arguments/find/quoted.ts'

// As in QUOTED, an opening mark ends the search for the closing one: none of these takes longer than the text is long.

/** 'I don't know' and ‘don’t’: a mark between letters closes nothing, and "Inc.'s" opens nothing. */
const SINGLE = /(?<![\p{L}\p{N}.)])['‘‚](?:[^'‘’‚]|(?<=\p{L})['’](?=\p{L}))+['’‘](?![\p{L}\p{N}])/u
/** After a digit it is an inch; what has a space before it and a letter after it opens another one. */
const DOUBLE = /(?<!\p{N})["“”][^"“”„]*(?:(?<!\s)["”]|["”](?![\p{L}\p{N}]))/u
const OTHERS = /„[^"“”„]*["“”]|[«»‹›][^«»‹›]*[«»‹›]|「[^「」]*」|『[^『』]*』|`[^`]*`/u
/** A whole quote, of one line or more. */
const CLOSED = new RegExp([SINGLE, DOUBLE, OTHERS].map(({ source }) => source).join('|'), 'gu')
/** What is left of these was never closed. "'em" and "'90s" are no quotes. */
const OPEN = /(?<!\p{N})["“”„«»‹›「『`]|(?<![\p{L}\p{N}.)])['‘‚](?!(?:\d0s|bout|cause|em|n|round|til|tis|twas)(?!\p{L}))/iu

/**
 * A text without what is in quotes, which may hold quotes themselves. Where one is never closed, nothing that follows is left: rather
 * some words less than some of a message.
 */
export function withoutQuotes(text: string): string {
  const closed = text.replace(CLOSED, ' ').replace(CLOSED, ' ')
  const open = closed.search(OPEN)
  // Whatever is taken for an argument's text is none of the words.
  return (open < 0 ? closed : closed.slice(0, open)).replace(QUOTED, ' ')
}

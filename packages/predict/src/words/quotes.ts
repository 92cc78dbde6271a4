/** Matches a quote on one line. An opening mark also ends the search for a closing one, so that matching takes linear time. */
const QUOTED = /"([^"\n]+)"|“([^“”\n]+)”|«([^«»\n]+)»|‘([^‘’\n]+)’|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|`([^`\n]+)`/gu
export type Quote = { readonly text: string; readonly start: number; readonly end: number }

/** A quote without a closing mark extends to the end of its line. */
const UNCLOSED = /(?<![\p{L}\p{N}])["“]([^"“”\n]+)$/gmu

/** Returns the text in quotation marks. The span includes the marks. Punctuation that ends the surrounding sentence is left out. */
export function findQuotes(prompt: string): Quote[] {
  const closed = [...prompt.matchAll(QUOTED)].filter((match) => !coversWhole(prompt, match))
  const open = [...prompt.matchAll(UNCLOSED)].filter(
    (match) => !closed.some(({ index, 0: all }) => match.index < index + all.length && match.index + match[0].length > index),
  )
  return [...closed, ...open].flatMap((match) => {
    const inside = match.slice(1).find((group) => group !== undefined) as string
    const text = withoutStop(inside.trim())
    return text === '' ? [] : [{ text, start: match.index, end: match.index + match[0].length }]
  })
}

/** A prompt that is one quote as a whole is not a single value. */
function coversWhole(prompt: string, match: RegExpMatchArray): boolean {
  return match[0].length > prompt.trim().length - 2 && /\s/.test(match[0])
}

/** The stop of "abcd1234." belongs to the surrounding sentence. The stop of "Call me." belongs to the quote. */
function withoutStop(text: string): string {
  return /^\S+[.,;!?]$/.test(text) || /^[^.]*,$/.test(text) ? text.slice(0, -1) : text
}

// Like QUOTED, these patterns match in linear time.

/** A mark between letters does not close a quote: 'I don't know', ‘don’t’. A mark after "Inc." does not open one. */
const SINGLE_QUOTED = /(?<![\p{L}\p{N}.)])['‘’](?:[^'‘’]|(?<=\p{L})['’](?=\p{L}))+['‘’](?![\p{L}\p{N}])/u
/** A mark that opens a quote. After a digit, it is an inch sign unless a word follows it directly: 5" pipe and 5"x7" contain no quotes. */
const OPENING = /"(?:(?<!\p{N}")|(?=\p{L})(?!x\p{N}))/u
/** A mark that has a space before it and a letter after it opens another quote. So does a mark directly before a word. */
const DOUBLE_QUOTED = new RegExp(`${OPENING.source}[^"]*(?:(?<!\\s)"(?![\\p{Lu}\\p{Ll}])|"(?![\\p{L}\\p{N}]))`, 'u')
const OTHERS = /[«»‹›][^«»‹›]*[«»‹›]|「[^「」]*」|`[^`]*`/u
/** A whole quote on one or more lines. */
const CLOSED = new RegExp([SINGLE_QUOTED, DOUBLE_QUOTED, OTHERS].map(({ source }) => source).join('|'), 'gu')
/** "'em", "'90s" and "Q3 '25" are not quotes. */
const OPEN_SINGLE = /(?<![\p{L}\p{N}.)])['‘’](?!\d\d(?!\d)|(?:bout|cause|em|n|round|til|tis|twas)(?!\p{L}))/u
/** Opening marks that remain after the closed quotes are removed. */
const UNCLOSED_QUOTE = new RegExp(`${OPENING.source}|[«»‹›「」\`]|${OPEN_SINGLE.source}`, 'iu')
/**
 * Marks that remain after a removed quote and may be its real end: in "a 5" pipe" the inch sign was taken for the end, in 'the boys' list'
 * the apostrophe.
 */
const END = /["«»‹›「」`]/
const END_SINGLE = /['‘’](?![\p{L}\p{N}])/u

/** The text outside quotes. `cut` is true when the text was cut because the end of a quote is uncertain. */
type Unquoted = { readonly rest: string; readonly cut: boolean }

/**
 * Removes quotes, which may contain quotes, from a text. When a quote has no certain end, all text after its start is removed too: it is
 * better to lose some words than to keep part of a quoted message.
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
    left.search(UNCLOSED_QUOTE),
    END.test(left.slice(first)) ? first : -1,
    END_SINGLE.test(left.slice(firstSingle)) ? firstSingle : -1,
  ].filter((at) => at >= 0)
  // Also remove everything that argument prediction treats as a quote.
  return { rest: left.slice(0, Math.min(left.length, ...ends)).replace(QUOTED, ' '), cut: ends.length > 0 }
}

/** Replaces marks of the same use by one mark. The mark before the last letter of a Hebrew acronym is not a quotation mark. */
function withFewMarks(text: string): string {
  return text
    .replace(/(?<=\p{sc=Hebrew})["”](?=\p{sc=Hebrew}(?!\p{L}))/gu, '״')
    .replace(/[‚‛❛]/g, '‘')
    .replaceAll('❜', '’')
    .replace(/[“”„‟〝〞〟❝❞]|([`'‘’])\1+/g, '"')
    .replace(/[『《〈]/g, '「')
    .replace(/[』》〉]/g, '」')
}

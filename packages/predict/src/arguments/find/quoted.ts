import type { Found } from './found.ts'

/** Each kind of quote on one line. An opening mark ends the search for the closing one: thousands would else each be followed to the end. */
export const QUOTED = /"([^"\n]+)"|“([^“”\n]+)”|«([^«»\n]+)»|‘([^‘’\n]+)’|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|`([^`\n]+)`/gu
/** A quote that is never closed reaches to the end of its line. */
const UNCLOSED = /(?<![\p{L}\p{N}])["“]([^"“”\n]+)$/gmu

/** Text in quotation marks. The span includes the marks; a full stop that belongs to the sentence around is left out. */
export function findQuoted(prompt: string): Found[] {
  const closed = [...prompt.matchAll(QUOTED)].filter((match) => !coversWhole(prompt, match))
  const open = [...prompt.matchAll(UNCLOSED)].filter(
    (match) => !closed.some(({ index, 0: all }) => match.index < index + all.length && match.index + match[0].length > index),
  )
  return [...closed, ...open].flatMap((match) => {
    const inside = match.slice(1).find((group) => group !== undefined) as string
    const text = withoutStop(inside.trim())
    return text === '' ? [] : [{ kind: 'quoted' as const, text, start: match.index, end: match.index + match[0].length }]
  })
}

/** A prompt that is itself in quotes is not one value. */
function coversWhole(prompt: string, match: RegExpMatchArray): boolean {
  return match[0].length > prompt.trim().length - 2 && /\s/.test(match[0])
}

/** "abcd1234." ends the sentence around it, "Call me." is one itself. */
function withoutStop(text: string): string {
  return /^\S+[.,;!?]$/.test(text) || /^[^.]*,$/.test(text) ? text.slice(0, -1) : text
}

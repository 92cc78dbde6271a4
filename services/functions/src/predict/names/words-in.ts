/** A word of a text in lower case, accents off. Offsets are UTF-16, end exclusive. */
export type WordIn = { readonly text: string; readonly start: number; readonly end: number }

export function wordsIn(text: string): WordIn[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    text: fold(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

/** The words of a text, as names are compared. */
export function plain(text: string): string {
  return wordsIn(text)
    .map((word) => word.text)
    .join(' ')
}

/** One of a thing and several of it are the same word here, and so are `assign` and `assignee`. */
export function isSame(a: string, b: string): boolean {
  if (a === b || a === `${b}s` || b === `${a}s`) return true
  return Math.min(a.length, b.length) >= 5 && (a.startsWith(b) || b.startsWith(a))
}

function fold(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

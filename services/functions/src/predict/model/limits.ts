/**
 * A cautious estimate: English and JSON have about four characters a token, other languages fewer. Requests are bounded by characters,
 * because each model counts tokens differently.
 */
const CHARACTERS_PER_TOKEN = 3

export function maxCharacters(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN
}

/** Cuts a text to at most `most` characters, without splitting a surrogate pair. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`
}

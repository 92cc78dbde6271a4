/**
 * A cautious estimate: English and JSON have about four characters a token, other languages fewer. Requests are bounded by characters,
 * because each model counts tokens differently.
 */
const CHARACTERS_PER_TOKEN = 3

export function maxCharacters(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN
}

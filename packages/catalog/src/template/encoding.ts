import { isStructured } from '@onward/json'

/** A key and its text in a query or a form. */
export type Pair = readonly [key: string, value: string]

/** Flattens a value with bracketed keys: `address[city]`, `items[0][price]`. Undefined is left out; null becomes an empty text. */
export function toPairs(key: string, value: unknown): Pair[] {
  if (value === undefined) return []
  if (value === null) return [[key, '']]
  if (!isStructured(value)) return [[key, String(value)]]
  return Object.entries(value).flatMap(([name, item]) => toPairs(`${key}[${name}]`, item))
}

/** Encodes pairs as a query string. Throws URIError for half of a surrogate pair. */
export function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')
}

/** Returns the text. Throws URIError, as URL encoding does, for half of a surrogate pair, which UTF-8 cannot encode. */
export function wellFormed(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new URIError('the text is not well-formed')
  return text
}

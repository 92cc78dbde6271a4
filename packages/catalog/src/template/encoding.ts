import { isDeepStrictEqual } from 'node:util'
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

/**
 * Returns a problem for each empty list and object in an argument, at any depth: `toPairs` writes none of them, as if they were absent. There is
 * none if the argument is the parameter's default, which the caller may not have sent.
 */
export function emptyProblems(path: string, value: unknown, fallback?: unknown): string[] {
  if (!isStructured(value) || isDeepStrictEqual(value, fallback)) return []
  const entries = Object.entries(value)
  if (entries.length === 0) return [`${path}: is empty, and a query or a form has no empty list or object; leave it out`]
  return entries.flatMap(([name, item]) => emptyProblems(Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`, item))
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

/** Key and text, as a query or a form takes them. */
export type Pair = readonly [key: string, value: string]

/** Flattens a value under a key with brackets: `address[city]`, `items[0][price]`. What is undefined is left out; null is empty text. */
export function toPairs(key: string, value: unknown): Pair[] {
  if (value === undefined) return []
  if (value === null) return [[key, '']]
  if (typeof value !== 'object') return [[key, String(value)]]
  return Object.entries(value).flatMap(([name, item]) => toPairs(`${key}[${name}]`, item))
}

/** Throws URIError for a text with half of a surrogate pair. */
export function encodePairs(pairs: readonly Pair[]): string {
  return pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&')
}

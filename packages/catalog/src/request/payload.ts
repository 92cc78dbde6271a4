import { encodePairs, type Pair, toPairs } from './pairs.ts'

/** A body that is written out. `fixed` = its content type is its own, whatever the headers say. */
export type Payload = { readonly content: string | Uint8Array; readonly contentType: string; readonly fixed?: boolean }

export function writeJson(body: unknown): Payload {
  return { content: JSON.stringify(body), contentType: 'application/json' }
}

/** Bracketed names for what is nested, then the `repeated` keys. Throws URIError when a text is not well-formed. */
export function writeForm(body: object, repeated: readonly Pair[] = []): Payload {
  const pairs = [...Object.entries(body).flatMap(([key, value]) => toPairs(key, value)), ...repeated]
  return { content: encodePairs(pairs), contentType: 'application/x-www-form-urlencoded' }
}

import { RawJson } from '@onward/json'

/** Maximum length of a stored body, in characters. It is low because one statement stores hundreds of bodies. */
const MAX_STORED = 65_536
/** How much is stored of a longer body. As a string in JSON, it is at most twice as long. */
const FIRST_PART = 32_768
/** Stands before the first part. Earlier versions stored only the text without `cut`. */
const CUT = /^\[(\d+) characters, (?:not kept|cut)\]\n?/

/** Returns a body as it is stored in the calls log. */
export function storedBody(json: string): string {
  return json.length <= MAX_STORED ? json : JSON.stringify(`[${json.length} characters, cut]\n${json.slice(0, FIRST_PART)}`)
}

/** Reads a stored body. Of a body that was cut, `value` is the first part of its JSON, as text, and `length` its length in characters. */
export function readStored(stored: string): { readonly value: RawJson | string; readonly length?: number } {
  const text: unknown = stored.startsWith('"[') ? JSON.parse(stored) : undefined
  const cut = typeof text === 'string' ? CUT.exec(text) : null
  return typeof text === 'string' && cut !== null
    ? { value: text.slice(cut[0].length), length: Number(cut[1]) }
    : { value: new RawJson(stored) }
}

import { isUtf8 } from 'node:buffer'
import { scanJson } from '@onward/json'
import { Refusal } from '../refusal.ts'

/**
 * A JSON body may have one key for each 40 bytes of its size limit, and one value for each 10 bytes. 90,000 different keys in 1 MB take
 * more than a second to parse, copy and validate. The largest useful bodies have half as many: 10,000 users with their limits.
 */
const BYTES_PER_KEY = 40
const BYTES_PER_VALUE = 10

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

/** Throws a Refusal for a body that is not UTF-8, or begins with a byte order mark. */
export function checkText(bytes: Buffer, charset: string): void {
  if (charset !== 'utf-8') throw new Refusal('unsupported_media_type', 'the charset of the body must be utf-8')
  if (bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) {
    throw new Refusal('invalid_body', 'the body must not begin with a byte order mark')
  }
  if (!isUtf8(bytes)) throw new Refusal('invalid_body', 'the body is not valid UTF-8')
}

/** Throws a Refusal for a form whose percent-encoded bytes are not UTF-8: they would be kept as percent signs and digits. */
export function checkEscapes(form: Buffer): void {
  if (!form.includes('%')) return
  const decoded = form
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  if (!isUtf8(Buffer.from(decoded, 'latin1'))) throw new Refusal('invalid_body', 'the body has percent-encoded bytes that are not UTF-8')
}

/** Maximum nesting of a body. Recursion over a body that is nested much deeper could exhaust the stack. */
export const MAX_DEPTH = 64
export const TOO_DEEP = `the body is nested deeper than ${MAX_DEPTH} levels`

/** JSON bytes that were checked. `keys` counts the keys of all objects; `exact` says whether `JSON.parse` keeps the digits of all numbers. */
export type CheckedJson = { readonly keys: number; readonly exact: boolean }

/** Returns the line and the column of a byte in a text. */
function placeOf(text: Buffer, at: number): string {
  const lines = text.subarray(0, at).toString().split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

/** Checks a JSON body without parsing it. Throws a Refusal when it is not valid, or has too many levels, keys or values. */
export function checkJson(json: Buffer, limit: number): CheckedJson {
  const limits = { depth: MAX_DEPTH, keys: Math.floor(limit / BYTES_PER_KEY), values: Math.floor(limit / BYTES_PER_VALUE) }
  const scan = scanJson(json, limits)
  switch (scan.kind) {
    case 'json':
      return scan
    case 'invalid':
      throw new Refusal('invalid_body', 'the body is not valid JSON', [
        `body: is not valid at ${placeOf(json, scan.at)}: expected ${scan.expected}`,
      ])
    case 'exceeds':
      throw new Refusal('invalid_body', scan.limit === 'depth' ? TOO_DEEP : `the body has more than ${limits[scan.limit]} ${scan.limit}`)
  }
}

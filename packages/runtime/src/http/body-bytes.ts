import { isUtf8 } from 'node:buffer'
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

/** Maximum nesting of a body. Recursion over a body that is nested much deeper could exhaust the stack. */
export const MAX_DEPTH = 64
export const TOO_DEEP = `the body is nested deeper than ${MAX_DEPTH} levels`

/** Returns the number of keys in a JSON text, without parsing it. Throws a Refusal for a text with too many levels, keys or values. */
export function countKeys(json: Buffer, limit: number): number {
  const maxKeys = Math.floor(limit / BYTES_PER_KEY)
  const maxValues = Math.floor(limit / BYTES_PER_VALUE)
  let [depth, keys, values] = [0, 0, 0]
  for (let i = 0; i < json.length; i++) {
    switch (json[i]) {
      case QUOTE:
        i = endOfString(json, i)
        break
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (++depth > MAX_DEPTH) throw new Refusal('invalid_body', TOO_DEEP)
        values++
        break
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--
        break
      case COMMA:
        if (++values > maxValues) throw new Refusal('invalid_body', `the body has more than ${maxValues} values`)
        break
      case COLON:
        if (++keys > maxKeys) throw new Refusal('invalid_body', `the body has more than ${maxKeys} keys`)
    }
  }
  return keys
}

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = Buffer.from('"\\:,{}[]')

/** Returns the position of the quote that closes the string which starts at `start`. */
function endOfString(json: Buffer, start: number): number {
  for (let i = start + 1; i < json.length; i++) {
    if (json[i] === BACKSLASH) i++
    else if (json[i] === QUOTE) return i
  }
  return json.length
}

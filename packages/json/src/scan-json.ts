import { isExact } from './raw-json.ts'

/** The most that a JSON text may contain. A limit that is left out does not apply. */
export type JsonLimits = { readonly depth: number; readonly keys?: number; readonly values?: number }

/**
 * - `json`: the text is valid. `keys` and `values` count the keys of all objects and all values. `exact` says whether JavaScript numbers
 *   write all numbers with the same digits.
 * - `exceeds`: the text exceeds a limit, and was not checked further.
 * - `invalid`: `at` is where the text stops being JSON, or where the string, word or number begins that is not valid; `expected` is what could
 *   be there.
 */
export type JsonScan =
  | { readonly kind: 'json'; readonly keys: number; readonly values: number; readonly exact: boolean }
  | { readonly kind: 'exceeds'; readonly limit: keyof JsonLimits }
  | { readonly kind: 'invalid'; readonly at: number; readonly expected: string }

/** Checks bytes in UTF-8 for JSON, without parsing them. Accepts the texts that `JSON.parse` accepts; does not check the UTF-8. */
export function scanJson(bytes: Uint8Array, limits: JsonLimits): JsonScan {
  const steps = scanJsonInSteps(bytes, limits, bytes.length)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const QUOTE = 0x22
const PLUS = 0x2b
const COMMA = 0x2c
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')]

/** Whether a byte stands for itself in a string. */
const PLAIN = new Uint8Array(256).fill(1, 0x20)
PLAIN[QUOTE] = 0
PLAIN[BACKSLASH] = 0

/** Whether a backslash before the byte is a complete escape. */
const ESCAPED = new Uint8Array(256)
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPED[byte] = 1

const COMPLETE_TEXT = 'a text that ends, without line breaks and with valid escapes'

/** What may come next. */
const VALUE = 0
const VALUE_OR_END = 1
const KEY = 2
const KEY_OR_END = 3
const COMMA_OR_END = 4

/** Checks bytes like `scanJson`, and yields after every `step` bytes, so that the caller can let other work run. */
export function* scanJsonInSteps(bytes: Uint8Array, limits: JsonLimits, step: number): Generator<undefined, JsonScan> {
  const { depth: maxDepth, keys: maxKeys = Number.POSITIVE_INFINITY, values: maxValues = Number.POSITIVE_INFINITY } = limits
  const end = bytes.length
  /** For each open object or array: whether it is an object. */
  const objects: boolean[] = []
  let expected = VALUE
  let exact = true
  let [at, keys, values, pause] = [0, 0, 0, step]
  for (;;) {
    at = skipBlanks(bytes, at)
    if (at >= pause) {
      pause = at + step
      yield
    }
    const byte = bytes[at]
    const start = at
    if (expected === COMMA_OR_END) {
      if (objects.length === 0) return at === end ? { kind: 'json', keys, values, exact } : { kind: 'invalid', at, expected: 'the end' }
      const inObject = objects[objects.length - 1] === true
      if (byte === COMMA) expected = inObject ? KEY : VALUE
      else if (byte === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) objects.pop()
      else return { kind: 'invalid', at, expected: inObject ? 'a comma or }' : 'a comma or ]' }
      at++
      continue
    }
    if (expected === KEY || expected === KEY_OR_END) {
      if (byte === CLOSE_BRACE && expected === KEY_OR_END) {
        objects.pop()
        expected = COMMA_OR_END
        at++
        continue
      }
      if (byte !== QUOTE) return { kind: 'invalid', at, expected: 'a key in double quotes' }
      if (++keys > maxKeys) return { kind: 'exceeds', limit: 'keys' }
      at = skipBlanks(bytes, endOfString(bytes, at + 1))
      if (at > end) return { kind: 'invalid', at: start, expected: COMPLETE_TEXT }
      if (bytes[at] !== COLON) return { kind: 'invalid', at, expected: 'a colon' }
      at++
      expected = VALUE
      continue
    }
    if (byte === CLOSE_BRACKET && expected === VALUE_OR_END) {
      objects.pop()
      expected = COMMA_OR_END
      at++
      continue
    }
    if (++values > maxValues) return { kind: 'exceeds', limit: 'values' }
    switch (byte) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (objects.push(byte === OPEN_BRACE) > maxDepth) return { kind: 'exceeds', limit: 'depth' }
        expected = byte === OPEN_BRACE ? KEY_OR_END : VALUE_OR_END
        at++
        continue
      case QUOTE:
        at = endOfString(bytes, at + 1)
        break
      case LOWER_T:
        at = endOfWord(bytes, at, TRUE)
        break
      case LOWER_F:
        at = endOfWord(bytes, at, FALSE)
        break
      case LOWER_N:
        at = endOfWord(bytes, at, NULL)
        break
      default: {
        at = endOfNumber(bytes, at)
        if (at > end) break
        exact &&= isPlainInteger(bytes, start, at) || isExact(Buffer.from(bytes.subarray(start, at)).toString('latin1'))
      }
    }
    if (at > end) return { kind: 'invalid', at: start, expected: byte === QUOTE ? COMPLETE_TEXT : 'a value' }
    expected = COMMA_OR_END
  }
}

function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09; byte = bytes[at]) at++
  return at
}

// The functions below return the position after what they read, or a position beyond the bytes when they are not valid there.

function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    while (PLAIN[bytes[at] as number] === 1) at++
    if (bytes[at] === QUOTE) return at + 1
    // A control character, or the end of the bytes.
    if (bytes[at] !== BACKSLASH) return bytes.length + 1
    const escaped = bytes[++at] as number
    if (escaped === LOWER_U) {
      for (let digit = 0; digit < 4; digit++) if (!isHex(bytes[++at])) return bytes.length + 1
    } else if (ESCAPED[escaped] !== 1) return bytes.length + 1
  }
}

function isHex(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66))
}

function endOfWord(bytes: Uint8Array, from: number, word: Uint8Array): number {
  for (let at = 0; at < word.length; at++) if (bytes[from + at] !== word[at]) return bytes.length + 1
  return from + word.length
}

function endOfNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at)
  if (bytes[at] === POINT) at = endOfDigits(bytes, at + 1)
  if (bytes[at] === 0x65 || bytes[at] === 0x45) {
    at++
    at = endOfDigits(bytes, bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at)
  }
  return at
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from
  for (let byte = bytes[at]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = bytes[at]) at++
  return at === from ? bytes.length + 1 : at
}

/** Returns whether a number has only digits, and so few that JavaScript writes the same ones. */
function isPlainInteger(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from > 15) return false
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number
    if (byte < ZERO || byte > NINE) return false
  }
  return true
}

/**
 * What becomes of a number in a response that a JavaScript number cannot hold exactly, such as `1909699624467843944`: its digits as `text`, or
 * a `bigint` for an integer. Other numbers are always a `number`.
 */
export type LargeNumbers = 'text' | 'bigint'

/** A string or a number of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/** What a text contains that has a number which JavaScript cannot hold. Most other texts do not contain it. */
const MAY_BE_LARGE = /[\d.]{16}|\d[eE]/

/** Returns the value of a JSON text; undefined if it is not JSON. */
export function readJson(text: string, large: LargeNumbers): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (!MAY_BE_LARGE.test(text)) return value
    const mark = newMark()
    const marked = text.replace(TOKEN, (token) => (token[0] === '"' || holds(token) ? token : `"${mark}${token}"`))
    return JSON.parse(marked, (_key, item) =>
      typeof item === 'string' && item.startsWith(mark) ? read(item.slice(mark.length), large) : item,
    )
  } catch {
    return undefined
  }
}

function read(digits: string, large: LargeNumbers): unknown {
  return large === 'bigint' && /^-?\d+$/.test(digits) ? BigInt(digits) : digits
}

/** Writes a value as JSON, with each `bigint` as a number and with the sign of -0. Throws a TypeError for a value that JSON would replace with null or `{}`. */
export function writeJson(value: unknown): string {
  const mark = newMark()
  let found = false
  const json = JSON.stringify(value, function (this: unknown, key, item) {
    const kind = unwritable((this as Record<string, unknown>)[key], Array.isArray(this))
    if (kind !== undefined) throw new TypeError(`${key === '' ? 'the value' : key} is ${kind}, which JSON cannot contain`)
    const isMinusZero = Object.is(item, -0)
    if (typeof item !== 'bigint' && !isMinusZero) return item
    found = true
    return `${mark}${isMinusZero ? '-0' : item}`
  })
  return found ? json.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), '$1') : json
}

/** Returns what a value is, if JSON would write something else in its place. */
function unwritable(value: unknown, inList: boolean): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (inList && ['undefined', 'function', 'symbol'].includes(typeof value)) return `${typeof value} in a list`
  if (value instanceof Date) return Number.isNaN(+value) ? 'an invalid date' : undefined
  return value instanceof Map || value instanceof Set ? `a ${value.constructor.name}` : undefined
}

/** Stands before the digits of a number until the JSON around it is complete. It is random, so no other text begins with it. */
function newMark(): string {
  return `number-${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`
}

/** Returns whether a JavaScript number has exactly the value of a JSON number. */
function holds(digits: string): boolean {
  const number = Number(digits)
  return Number.isFinite(number) && normalForm(String(number)) === normalForm(digits)
}

/** Returns a decimal number as its significant digits and an exponent, so that equal numbers are equal texts. */
function normalForm(text: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`
}

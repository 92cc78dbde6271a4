import { DAY_MS } from '@onward/contract'
import { Refusal } from '../refusal.ts'

/** Returns an opaque cursor that contains the sort key of a page's last item. */
export function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** Returns the first `size` rows, and the cursor of the next page; null on the last page. The caller reads one row more than `size`. */
export function cutPage<T>(rows: readonly T[], size: number, keyOf: (last: T) => readonly (string | number)[]) {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { page, _cursor: rows.length > size && last !== undefined ? writeCursor(keyOf(last)) : null }
}

/** Returns the sort key in a cursor; null without a cursor. Throws a Refusal if the parts of the key do not have the given types. */
export function readCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string | null | undefined,
  types: T,
): { [K in keyof T]: T[K] extends 'string' ? string : number } | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  const key = parse(cursor)
  if (!Array.isArray(key) || key.length !== types.length || !types.every((type, i) => typeof key[i] === type && !isUnsafeNumber(key[i]))) {
    throw invalid('_cursor: must be the _cursor of an earlier response of this list', 'the cursor is not valid')
  }
  return key as never
}

/** Returns whether a part is a number but not a safe integer. Cursors contain no such numbers; JSON reads `1e999` as Infinity. */
function isUnsafeNumber(part: unknown): boolean {
  return typeof part === 'number' && !Number.isSafeInteger(part)
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Returns the time of a date-time parameter, if it is given. Throws a Refusal for a leap second: the schema allows it, a Date cannot hold it. */
export function readTime<T extends string | undefined>(name: string, text: T): Date | Extract<T, undefined> {
  if (text === undefined) return undefined as Extract<T, undefined>
  const time = new Date(text)
  if (Number.isNaN(+time)) throw invalid(`${name}: must be a valid date-time`)
  return time
}

const MAX_DAYS = 40

/** Returns the span of time between two date-times. Throws a Refusal if it is empty or too long, or if one of them is a leap second. */
export function readSpan({ since, until }: { readonly since: string; readonly until: string }): { since: Date; until: Date } {
  const span = { since: readTime('since', since), until: readTime('until', until) }
  const lengthMs = +span.until - +span.since
  if (lengthMs <= 0 || lengthMs > MAX_DAYS * DAY_MS) throw invalid(`until: must be after since, by ${MAX_DAYS} days at most`)
  return span
}

function invalid(detail: string, message = 'the parameters are not valid'): Refusal {
  return new Refusal('invalid_parameters', message, [detail])
}

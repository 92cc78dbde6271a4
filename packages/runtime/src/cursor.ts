import { Refusal } from './refusal.ts'

/** Makes an opaque list cursor of the sort key of a page's last item. */
export function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** Reads a list cursor back: its parts have the types given. Null when there is none; a Refusal when it is not one of ours. */
export function readCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string | null | undefined,
  types: T,
): { [K in keyof T]: T[K] extends 'string' ? string : number } | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  const key = parse(cursor)
  if (!Array.isArray(key) || key.length !== types.length || !types.every((type, i) => typeof key[i] === type && !isFraction(key[i]))) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier answer of this list'])
  }
  return key as never
}

/** Numbers in a cursor are whole; JSON reads `1e999` as Infinity. */
function isFraction(part: unknown): boolean {
  return typeof part === 'number' && !Number.isSafeInteger(part)
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

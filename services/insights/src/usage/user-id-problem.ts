import { isStorable } from './storable.ts'

/** As for callers of functions; an index of Postgres holds no more than 2 704. */
const MAX_BYTES = 1_024

/** What is wrong with a user's id that the schema can't say. */
export function userIdProblem(userId: string): string | undefined {
  if (!isStorable(userId)) return 'must not hold NUL or half of a surrogate pair'
  return Buffer.byteLength(userId) > MAX_BYTES ? `must not have more than ${MAX_BYTES} bytes of UTF-8` : undefined
}

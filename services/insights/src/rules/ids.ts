import { taskConsumed } from '@onward/contract'
import { isStorable } from '@onward/runtime'

const MAX_APP_KEY = taskConsumed.properties.app_key.maxLength
/** Same limit as in functions. An index of Postgres holds values of up to 2,704 bytes. */
const MAX_USER_ID_BYTES = 1_024

/** Returns what the schema cannot check about a user id, or undefined when it is valid. */
export function userIdProblem(userId: string): string | undefined {
  if (!isStorable(userId)) return 'must not hold NUL or half of a surrogate pair'
  return Buffer.byteLength(userId) > MAX_USER_ID_BYTES ? `must not have more than ${MAX_USER_ID_BYTES} bytes of UTF-8` : undefined
}

/** Returns what is wrong with an App-Key, or undefined when it is valid. */
export function appKeyProblem(appKey: string): string | undefined {
  return appKey.length > MAX_APP_KEY || !isStorable(appKey) ? `must have at most ${MAX_APP_KEY} characters and no NUL` : undefined
}

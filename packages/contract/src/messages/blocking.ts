import type { FromSchema } from 'json-schema-to-ts'
import { object, timeOrNull } from '../schemas.ts'

/** The queue that tells functions which users insights blocks. It contains only users of applications with `on_limit: block`. */
export const BLOCKING_QUEUE = 'blocking'

/**
 * The blocking of one user. `seq` increases with each change, so a lower number is outdated; an equal number repeats the same change.
 * `blocked_until` is the end of the user's current period, or null when the user is not blocked.
 */
export const userBlocking = object({
  app_key: { type: 'string', minLength: 1, maxLength: 200 },
  user_id: { type: 'string', minLength: 1, maxLength: 1024 },
  seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  blocked_until: timeOrNull,
})

export const blockingJob = {
  type: 'object',
  required: ['states'],
  properties: { states: { type: 'array', minItems: 1, maxItems: 500, items: userBlocking } },
} as const

export type UserBlocking = FromSchema<typeof userBlocking>
export type BlockingJob = { states: UserBlocking[] }

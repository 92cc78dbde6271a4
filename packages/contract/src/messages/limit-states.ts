import type { FromSchema } from 'json-schema-to-ts'

/** The queue from insights to functions that says which users are blocked because they reached their limit. */
export const LIMIT_QUEUE = 'limit-states'

/**
 * Whether a user is blocked. `seq` rises with each change for the user: a message with a lower one is older, and one with an equal one
 * repeats the state. `blocked_until` is the end of the user's current period; null if the user is not blocked.
 */
export const limitState = {
  type: 'object',
  required: ['app_key', 'user_id', 'seq', 'blocked_until'],
  additionalProperties: false,
  properties: {
    app_key: { type: 'string', minLength: 1, maxLength: 200 },
    user_id: { type: 'string', minLength: 1, maxLength: 1024 },
    seq: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    blocked_until: { type: ['string', 'null'], format: 'date-time' },
  },
} as const

export const limitStatesJob = {
  type: 'object',
  required: ['states'],
  properties: { states: { type: 'array', minItems: 1, maxItems: 500, items: limitState } },
} as const

export type LimitState = FromSchema<typeof limitState>
export type LimitStatesJob = { states: LimitState[] }

import { object, time } from '../schemas.ts'

/** The values of variables by name. They replace `{name}` tags in arguments. */
export const variables = { type: ['object', 'null'], additionalProperties: true } as const

/** The time zone of the dates and times in a prompt, as an IANA name such as Europe/Rome. The default is UTC. */
export const timeZone = { type: ['string', 'null'] } as const

/** The cursor of an app's own list, in the shape that the app uses. */
export const callCursor = { type: ['string', 'number', 'object', 'null'] } as const

/**
 * The parts of `output` to return: paths such as `items.id`, which go through every item of an array. Null and no paths are the same: all of it.
 * Errors of the app are always returned whole.
 */
export const fields = {
  type: ['array', 'null'],
  minItems: 1,
  maxItems: 100,
  items: { type: 'string', maxLength: 200, pattern: '^[^.]+([.][^.]+)*$', examples: ['items.id'] },
} as const

/** Restrict a list or a prediction to the functions of one app, in any case, or of the apps that the user has connected. */
export const appFilters = { app: { type: 'string' }, connected_only: { type: 'boolean' } } as const

export const include = { type: 'string', enum: ['meta'] } as const

/** The scopes that a token needs for a function. Each item is enough, with all of its scopes. */
export const neededScopes = {
  type: 'array',
  minItems: 1,
  items: { type: 'array', minItems: 1, items: { type: 'string' } },
} as const

/** A connected account in examples. */
export const exampleAccount = {
  id: 17,
  display_name: "Joe's address book",
  modified_at: '2026-11-22T09:30:00.000Z',
  status: 'active',
  last_error: null,
} as const

export const connectedAccount = object({
  id: { type: 'integer' },
  display_name: { type: 'string' },
  modified_at: time,
  status: { type: 'string', enum: ['active', 'expired', 'reconnect_required'] },

  /** A short message of the app that says why the status is not active. */
  last_error: { type: ['string', 'null'] },
})

/** The request that a call would send, without secrets. */
export const sentRequest = object({
  method: { type: 'string' },
  url: { type: 'string' },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  body: { type: ['string', 'null'] },
})

/** What the rules for calls can say. */
export const policyResults = ['allow', 'ask', 'deny'] as const

/** What the rules of an application say about a call. `message` is null if the rule has none. */
export const verdict = object({ result: { type: 'string', enum: policyResults }, message: { type: ['string', 'null'] } })

/** A name for people. */
export const name = { type: 'string', minLength: 1, maxLength: 200 } as const

/** An id that the operator chooses. */
export const slug = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$' } as const

/** For how long the key or secret before stays valid, so that servers can be moved over one by one. */
export const rotation = {
  type: 'object',
  additionalProperties: false,
  properties: { keep_previous_hours: { type: 'number', minimum: 0, maximum: 168, default: 24 } },
} as const

/** Where an application's users may be sent, or its pages be told something. */
export const allowedUrls = {
  type: 'array',
  maxItems: 50,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 2048 },
} as const

import { object } from '../schemas.ts'

/** A display name. */
export const name = { type: 'string', minLength: 1, maxLength: 200 } as const

/** An id chosen by the operator. */
export const slug = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$' } as const

/** The name of an app, which functions begin with. */
export const appName = { type: 'string', pattern: '^[a-z][a-z0-9]*(-[a-z0-9]+)*$' } as const

export const email = { type: 'string', maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$', examples: ['ann@example.com'] } as const

/** How long the previous key or secret stays valid, so that servers can be changed one by one. */
export const rotation = object({}, { keep_previous_hours: { type: 'number', minimum: 0, maximum: 168, default: 24 } })

/** URLs to which an application's users may be redirected, or origins of its pages that may receive a message. */
export const allowedUrls = {
  type: 'array',
  maxItems: 50,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 2048 },
} as const

/** Maximum number of requests in a minute. */
export const rateLimit = { type: 'integer', minimum: 1, maximum: 1_000_000_000 } as const

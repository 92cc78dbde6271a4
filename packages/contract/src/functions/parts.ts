/** A variable name to its value, used to fill `{name}` tags. */
export const variables = { type: ['object', 'null'], additionalProperties: true } as const

/** An IANA name such as Europe/Rome, in which a prompt's dates and times are meant; UTC when left out. */
export const timeZone = { type: ['string', 'null'] } as const

/** The cursor of an onward API, in the shape that is natural for it. */
export const callCursor = { type: ['string', 'number', 'object', 'null'] } as const

export const listCursor = { type: ['string', 'null'] } as const

export const include = { type: 'string', enum: ['meta'] } as const

export const pageSize = { type: 'integer', minimum: 1, maximum: 200, default: 50 } as const

export const connectedAccount = {
  type: 'object',
  required: ['id', 'display_name', 'modified_at', 'status', 'last_error'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer' },
    display_name: { type: 'string' },
    modified_at: { type: 'string', format: 'date-time' },
    status: { type: 'string', enum: ['active', 'expired', 'reconnect_required'] },
    /** Why the status is not active: what the app said, in short. */
    last_error: { type: ['string', 'null'] },
  },
} as const

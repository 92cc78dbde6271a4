/** The cursor of a list of Onward: text that only the service can interpret; null at the end of the list. */
export const listCursor = { type: ['string', 'null'] } as const

const pageSizeRange = { type: 'integer', minimum: 1, maximum: 200 } as const

/** The number of items on a page, with the default of all lists except the list of users. */
export const pageSize = { ...pageSizeRange, default: 50 } as const

/** The page size in a body, for endpoints that also accept it in the query. It has no default, so that the one in the query can apply. */
export const pageSizeInBody = pageSizeRange

/** The page size of the list of users, which is read by programs. */
export const usersPageSize = { type: 'integer', minimum: 1, maximum: 10_000 } as const
export const USERS_PAGE_SIZE_DEFAULT = 1_000

/** The answer of an endpoint that returns no data. */
export const success = {
  type: 'object',
  required: ['success'],
  additionalProperties: false,
  properties: { success: { type: 'boolean', const: true } },
} as const

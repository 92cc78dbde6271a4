import { object } from './schemas.ts'

/** The cursor of a list of Onward: text that only the service can interpret; null at the end of the list. */
export const listCursor = { type: ['string', 'null'] } as const

/** The number of items on a page, for endpoints with their own rule if it is absent. */
export const pageSizeRange = { type: 'integer', minimum: 1, maximum: 200 } as const

/** The number of items on a page, with the default of all lists except the list of users. */
export const pageSize = { ...pageSizeRange, default: 50 } as const

/** The page size of the list of users, which is read by programs. */
export const usersPageSize = { type: 'integer', minimum: 1, maximum: 10_000 } as const
export const USERS_PAGE_SIZE_DEFAULT = 1_000

/** A BCP 47 tag of a language. */
export const locale = { type: 'string', minLength: 2, maxLength: 35 } as const

/** The response of an endpoint that returns no data. */
export const success = object({ success: { type: 'boolean', const: true } })

/**
 * Not allowed as user ids, because URL libraries remove these path segments, even encoded ones. A request about such a user would then
 * return all users.
 */
export const DOT_SEGMENTS: readonly string[] = ['.', '..']

/** The id of a user in a filter. */
export const userIdFilter = { type: 'string', not: { enum: DOT_SEGMENTS } } as const

/** The id of a user, as the application chose it. */
export const userId = { ...userIdFilter, minLength: 1, maxLength: 1024 } as const

/**
 * Returns the schema of `if_unchanged`: properties with the values that the caller has read. If another value is stored now, the response is 409
 * `changed_since_read`, and nothing changes. A caller cannot overwrite a change that it has not seen.
 */
export function unchanged<const P extends Readonly<Record<string, unknown>>>(properties: P) {
  return { ...object({}, properties), writeOnly: true } as const
}

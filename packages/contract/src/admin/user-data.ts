import { endpoint } from '../endpoint.ts'
import { listCursor, userId } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'

/** What a deletion waits for: calls in progress, or events that insights has not confirmed. */
export const deletionWaits = ['calls', 'events'] as const

/**
 * Used by both services, which return different tables. `row` has the columns of the table without secrets, hashes and encrypted values. A
 * page can be empty although more follow: `_cursor` is null on the last page only.
 */
export const exportUser = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/user-data',
  access: { role: 'owner', in: ['app_key'] },
  reads: 'user.export',
  summary: 'Export everything that is stored about a user of an application.',
  query: { type: 'object', required: ['user_id'], properties: { user_id: userId, _cursor: { type: 'string' } } },
  errors: ['application_not_found'],
  response: object({ rows: arrayOf(object({ table: { type: 'string' }, row: { type: 'object' } })), _cursor: listCursor }),
})

/**
 * Used by both services. One request deletes for a few seconds: repeat it with `_cursor` until `complete`. Can be repeated from the beginning.
 * Delete the user in functions, then in insights, then in functions again, while the application sends no requests for the user. Both services
 * use the same `pseudonym` in the calls log and in counts, which stay. `changed` has the number of rows that were deleted or renamed, by table.
 * `not_revoked` counts accounts that were deleted although their app did not revoke its access.
 */
export const deleteUser = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/user-data/delete',
  access: { role: 'owner', in: ['app_key'] },
  action: 'user.delete',
  summary: 'Delete everything that is stored about a user of an application. Counts stay under a pseudonym.',
  body: object({ user_id: { ...userId, writeOnly: true } }, { _cursor: listCursor }),
  errors: ['application_not_found'],
  response: object({
    pseudonym: { type: 'string' },
    changed: { type: 'object', additionalProperties: { type: 'integer' } },
    not_revoked: { type: 'integer' },
    waits_for: { type: ['string', 'null'], enum: [...deletionWaits, null] },
    complete: { type: 'boolean' },
    _cursor: listCursor,
  }),
})

import { endpoint } from '../endpoint.ts'
import { listCursor, userId } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'

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

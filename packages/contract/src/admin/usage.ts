import { endpoint } from '../endpoint.ts'
import { listCursor } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

/**
 * The tasks of each user of an application in a month (UTC), such as `2026-10`, ordered by user id. Users without tasks in the month are left
 * out. A task is counted up to 35 days after it occurred: from `final_at` on, `final` is true, and the numbers no longer change.
 */
export const readMonthUsage = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/usage/:month',
  reads: 'usage.export',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Export the tasks of the users of an application in a month, for billing.',
  query: {
    type: 'object',
    properties: { page_size: { type: 'integer', minimum: 1, maximum: 5000, default: 1000 }, _cursor: { type: 'string' } },
  },
  errors: ['application_not_found'],
  response: object({
    month: { type: 'string' },
    final: { type: 'boolean' },
    final_at: time,
    users: arrayOf(object({ user_id: { type: 'string' }, tasks: { type: 'integer' } })),
    _cursor: listCursor,
  }),
})

import { endpoint } from '../endpoint.ts'
import { listCursor } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

/**
 * The tasks of each user of a workspace in a month (UTC), such as `2026-10`, ordered by App-Key and user id, also of deleted applications. Users
 * without tasks in the month are left out. A task is counted up to 35 days after it occurred: from `final_at` on, `final` is true, and no task
 * of the month is counted any more.
 */
export const readMonthUsage = endpoint({
  method: 'get',
  path: '/admin/workspaces/:workspace_id/usage/:month',
  reads: 'usage.export',
  access: { role: 'viewer', in: ['workspace_id', 'app_key'] },
  summary: 'Export the tasks of all users in a month, for billing.',
  query: {
    type: 'object',
    properties: {
      app_key: { type: 'string', minLength: 1, maxLength: 200 },
      page_size: { type: 'integer', minimum: 1, maximum: 5000, default: 1000 },
      _cursor: { type: 'string' },
    },
  },
  errors: ['application_not_found', 'workspace_not_found'],
  response: object({
    month: { type: 'string' },
    final: { type: 'boolean' },
    final_at: time,
    users: arrayOf(object({ app_key: { type: 'string' }, user_id: { type: 'string' }, tasks: { type: 'integer' } })),
    _cursor: listCursor,
  }),
})

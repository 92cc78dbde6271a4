import { endpoint } from '../endpoint.ts'
import { arrayOf, object } from '../schemas.ts'
import { appKeyQuery, exampleUser } from './tasks.ts'

const date = { type: 'string', format: 'date' } as const

/** Every day from `since` to `until`, both included, also days without a task. At most 366 days; the last 30 by default. */
export const getUserTaskHistory = endpoint({
  method: 'get',
  path: '/partners/api/insights/users/:id/tasks/history',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Tasks of one user per day (UTC), oldest first.',
  query: { type: 'object', required: ['app_key'], properties: { ...appKeyQuery.properties, since: date, until: date } },
  errors: ['invalid_user_id', 'application_not_found', 'user_not_found'],
  response: object({
    user_id: { type: 'string' },
    days: arrayOf(object({ date, tasks_consumed: { type: 'integer' } })),
  }),
  examples: [
    {
      summary: 'Two days',
      params: exampleUser.params,
      query: { ...exampleUser.query, since: '2026-11-21', until: '2026-11-22' },
      response: {
        user_id: 'joe@example.com',
        days: [
          { date: '2026-11-21', tasks_consumed: 0 },
          { date: '2026-11-22', tasks_consumed: 31 },
        ],
      },
    },
  ],
})

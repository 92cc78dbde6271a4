import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { userId, usersPageSize } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'

/** A limit is a whole number of tasks that a JavaScript number can hold exactly. */
export const taskLimit = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/** Task status of one user. `limit_period` and `limit_reset_after` are in days. */
export const taskStatus = object({
  user_id: { type: 'string' },
  current_limit: { type: 'integer' },
  limit_period: { type: 'string' },
  tasks_consumed: { type: 'integer' },
  tasks_remaining: { type: 'integer' },
  limit_reset_after: { type: 'integer' },
})

/** Task status with the two percent fields, rounded down to two decimals. Used in the list of all users and in webhooks. */
export const taskStatusWithPercents = object({
  ...taskStatus.properties,
  tasks_consumed_percent: { type: 'number' },
  tasks_remaining_percent: { type: 'number' },
})

export type TaskStatus = FromSchema<typeof taskStatus>
export type TaskStatusWithPercents = FromSchema<typeof taskStatusWithPercents>

export const appKeyQuery = { type: 'object', required: ['app_key'], properties: { app_key: { type: 'string', minLength: 1 } } } as const

export const exampleUser = { params: { id: 'joe@example.com' }, query: { app_key: 'ak_4f9c2e7b1d8a6053e2' } } as const

const exampleStatus = {
  user_id: 'joe@example.com',
  current_limit: 10_000,
  limit_period: '30',
  tasks_consumed: 8_750,
  tasks_remaining: 1_250,
  limit_reset_after: 12,
} as const

export const exampleStatusWithPercents = { ...exampleStatus, tasks_consumed_percent: 87.5, tasks_remaining_percent: 12.5 } as const

const successText = object({ success: { type: 'string', const: 'true' } })

export const getUserTasks = endpoint({
  method: 'get',
  path: '/partners/api/insights/users/:id/tasks',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Task status of one user.',
  query: appKeyQuery,
  errors: ['invalid_user_id', 'application_not_found', 'user_not_found'],
  response: taskStatus,
  examples: [{ summary: 'The status of a user', ...exampleUser, response: exampleStatus }],
})

const percent = { type: 'number', minimum: 0 } as const
const statusList = arrayOf(taskStatusWithPercents)

/**
 * Ordered by user id. Without `page_size` and `_cursor` the response is an array of all users that match the filters. Otherwise it is one
 * page (of 1,000 users by default); `_cursor` is null on the last page only. With filters, a page can hold fewer users although more
 * follow. `search` is part of a user id and ignores case.
 */
export const listUserTasks = endpoint({
  method: 'get',
  path: '/partners/api/insights/users/tasks',
  access: { role: 'viewer', in: ['workspace_id'] },
  summary: 'Task status of all users of an application, or of those that match the filters.',
  query: {
    type: 'object',
    required: ['app_key'],
    properties: {
      ...appKeyQuery.properties,
      page_size: usersPageSize,
      _cursor: { type: 'string' },
      search: { type: 'string', maxLength: 1024 },
      min_percent: percent,
      max_percent: percent,
      limit_reached: { type: 'boolean' },
    },
  },
  errors: ['application_not_found'],
  response: {
    type: ['array', 'object'],
    anyOf: [statusList, object({ users: statusList, _cursor: { type: ['string', 'null'] } })],
  },
  examples: [
    { summary: 'All users', query: exampleUser.query, response: [exampleStatusWithPercents] },
    {
      summary: 'A page of users who have consumed 80 % or more',
      query: { ...exampleUser.query, min_percent: 80, page_size: 100 },
      response: { users: [exampleStatusWithPercents], _cursor: null },
    },
  ],
})

/**
 * The limits apply when the request is answered. When it could create more than 20,000 webhooks, these follow within moments.
 * Answers 429 `too_many_changes` while 100 limit changes of the workspace are pending.
 */
export const setUserLimits = endpoint({
  method: 'post',
  path: '/partners/api/insights/users/tasks',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'user-limits.set',
  summary: 'Set the limit of one or more users.',
  query: appKeyQuery,
  body: {
    type: 'array',
    minItems: 1,
    maxItems: 10_000,
    items: object({ user_id: userId, allowed_tasks: taskLimit }),
  },
  errors: ['application_not_found', 'too_many_changes', 'too_many_new_users'],
  response: successText,
  examples: [
    {
      summary: 'Set the limits of two users',
      query: exampleUser.query,
      body: [
        { user_id: 'joe@example.com', allowed_tasks: 500 },
        { user_id: 'ann@example.com', allowed_tasks: 2_000 },
      ],
      response: { success: 'true' },
    },
  ],
})

const limitBody = object({ tasks_limit: taskLimit })

export const setDefaultLimit = endpoint({
  method: 'patch',
  path: '/partners/api/accounts/me',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'default-limit.set',
  summary: 'Set the default limit for all new users.',
  body: limitBody,
  errors: [],
  response: successText,
  examples: [{ summary: 'A limit for new users', body: { tasks_limit: 1_000 }, response: { success: 'true' } }],
})

export const setAllLimits = endpoint({
  method: 'post',
  path: '/partners/api/insights/users/tasks-bulk',
  access: { role: 'developer', in: ['workspace_id'] },
  action: 'bulk-limit.set',
  summary: 'Set the limit of all existing users.',
  body: limitBody,
  errors: ['too_many_changes'],
  response: successText,
  examples: [{ summary: 'A limit for all existing users', body: { tasks_limit: 2_000 }, response: { success: 'true' } }],
})

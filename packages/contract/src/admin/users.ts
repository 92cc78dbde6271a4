import { endpoint } from '../endpoint.ts'
import { deliveryStatuses } from '../insights/deliveries.ts'
import { appKeyQuery, taskStatusWithPercents } from '../insights/tasks.ts'
import { listCursor, pageSize } from '../parts.ts'
import { arrayOf, object, orNull, time, timeOrNull, uuid } from '../schemas.ts'
import { limitSources } from './limits.ts'

/** `reached`: the limit is consumed. `near`: 80 % of it or more, but not all. `blocked`: calls of the user are refused now. */
export const userStates = ['reached', 'near', 'blocked'] as const

/** `usage`: the highest percentage of the limit first. */
export const userOrders = ['user_id', 'usage'] as const

/**
 * Ordered by user id, or by usage. A user whose usage changes between two pages can be on both or on none. With a filter, a page can hold
 * fewer users than `page_size` although more follow; `_cursor` is null on the last page only. `search` is part of a user id and ignores
 * case. `resets_at` is the end of the user's period, null before the first task. `limit_source` and `blocked_until` are as in the detail
 * of a user.
 */
export const listUsers = endpoint({
  method: 'get',
  path: '/admin/users',
  reads: 'users.list',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'List the users of an application with their usage, limits and blocking.',
  query: {
    type: 'object',
    required: ['app_key'],
    properties: {
      ...appKeyQuery.properties,
      search: { type: 'string', maxLength: 1024 },
      state: { type: 'string', enum: userStates },
      limit_source: { type: 'string', enum: limitSources },
      order: { type: 'string', enum: userOrders, default: 'user_id' },
      page_size: pageSize,
      _cursor: { type: 'string' },
    },
  },
  errors: ['application_not_found'],
  response: object({
    users: arrayOf(
      object({
        ...taskStatusWithPercents.properties,
        limit_source: { type: 'string', enum: limitSources },
        resets_at: timeOrNull,
        blocked_until: timeOrNull,
      }),
    ),
    _cursor: listCursor,
  }),
})

/**
 * `limit_source` is `bulk` if the user has the limit that was last set for all users, `default` if the user has the default limit, and else
 * `own`. `period` is null before the first task. `level` is the highest level that was reached in the period, in percent. `blocked_until` is
 * null if the user is not blocked. `notices` are the webhooks about levels of the period, newest first: each subscription with
 * the level has one of the `deliveries`.
 */
export const getUserDetail = endpoint({
  method: 'get',
  path: '/admin/users/detail',
  access: { role: 'viewer', in: ['app_key'] },
  summary: "Get a user's task status with the period, blocking and webhooks about it.",
  query: {
    type: 'object',
    required: ['app_key', 'user_id'],
    properties: { ...appKeyQuery.properties, user_id: { type: 'string', minLength: 1, maxLength: 1024 } },
  },
  errors: ['application_not_found', 'user_not_found'],
  response: object({
    ...taskStatusWithPercents.properties,
    limit_source: { type: 'string', enum: limitSources },
    first_seen_at: time,
    period: orNull(object({ starts_at: time, ends_at: time })),
    level: { type: 'integer' },
    blocked_until: timeOrNull,
    notices: arrayOf(
      object({
        event_name: { type: 'string' },
        at: time,
        deliveries: arrayOf(object({ delivery_id: uuid, status: { type: 'string', enum: deliveryStatuses } })),
      }),
    ),
  }),
})

const taskState = { counted: { type: 'boolean' }, occurred_at: timeOrNull, quarantined: { type: ['string', 'null'] } } as const

/**
 * `call_id` is the id of the call in functions. Not counted and not in quarantine: the task event is still on its way, or the call is no
 * task. `quarantined` is the reason why the task could not be counted.
 */
export const readTask = endpoint({
  method: 'get',
  path: '/admin/tasks/:call_id',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Find out whether a call was counted as a task.',
  query: appKeyQuery,
  errors: ['application_not_found'],
  response: object(taskState),
})

/** `call_ids` are up to 100 ids of calls, separated by commas. Returns what `readTask` does for each of them, in their order. */
export const readTasks = endpoint({
  method: 'get',
  path: '/admin/tasks',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Find out which calls were counted as tasks.',
  query: {
    type: 'object',
    required: ['app_key', 'call_ids'],
    properties: { ...appKeyQuery.properties, call_ids: { type: 'string', maxLength: 3_699 } },
  },
  errors: ['application_not_found'],
  response: object({ tasks: arrayOf(object({ call_id: { type: 'string' }, ...taskState })) }),
})

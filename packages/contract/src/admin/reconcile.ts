import { endpoint } from '../endpoint.ts'
import { listCursor } from '../parts.ts'

/** A span of time, from `since` to before `until`; at most 40 days. */
export const span = {
  type: 'object',
  required: ['since', 'until'],
  additionalProperties: false,
  properties: { since: { type: 'string', format: 'date-time' }, until: { type: 'string', format: 'date-time' } },
} as const

/** Tasks by hour; hours without tasks are omitted. `xor` is the exclusive or of the task ids, as 32 hexadecimal digits. */
export const taskHours = {
  type: 'array',
  items: {
    type: 'object',
    required: ['hour', 'tasks', 'xor'],
    additionalProperties: false,
    properties: {
      hour: { type: 'string', format: 'date-time' },
      tasks: { type: 'integer' },
      xor: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    },
  },
} as const

/**
 * `open_calls` counts the calls that began before `until` and have not ended. `outbox_oldest_at` is the time of the oldest outbox row that
 * insights has not confirmed.
 */
export const readTaskHours = endpoint({
  method: 'get',
  path: '/admin/calls/hours',
  access: { role: 'operator' },
  summary: 'Count tasks by hour.',
  query: span,
  answer: {
    type: 'object',
    required: ['hours', 'open_calls', 'outbox_oldest_at'],
    additionalProperties: false,
    properties: {
      hours: taskHours,
      open_calls: { type: 'integer' },
      outbox_oldest_at: { type: ['string', 'null'], format: 'date-time' },
    },
  },
})

/** Insights ignores tasks that it has already counted. A span with many calls needs several requests; `_cursor` is null at the end. */
export const resendCalls = endpoint({
  method: 'post',
  path: '/admin/calls/resend',
  access: { role: 'operator' },
  action: 'calls.resend',
  summary: 'Send the tasks of a time span to insights again.',
  body: { ...span, properties: { ...span.properties, _cursor: listCursor } },
  answer: {
    type: 'object',
    required: ['tasks', 'sent_at', '_cursor'],
    additionalProperties: false,
    properties: { tasks: { type: 'integer' }, sent_at: { type: 'string', format: 'date-time' }, _cursor: listCursor },
  },
})

/** Includes events in quarantine that have a valid id and time. */
export const readEventHours = endpoint({
  method: 'get',
  path: '/admin/events/hours',
  access: { role: 'operator' },
  summary: 'Count the known tasks per hour.',
  query: span,
  answer: { type: 'object', required: ['hours'], additionalProperties: false, properties: { hours: taskHours } },
})

/** Handles one page of users. `periods` is the number of compared periods. `differing` and `corrected` count periods and days of users. */
export const rebuildUsage = endpoint({
  method: 'post',
  path: '/admin/usage/rebuild',
  access: { role: 'operator' },
  action: 'usage.rebuild',
  summary: 'Compare what users consumed with their task events, and correct differences.',
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      app_key: { type: 'string', minLength: 1, maxLength: 200 },
      dry_run: { type: 'boolean', default: false },
      _cursor: { type: ['string', 'null'] },
    },
  },
  answer: {
    type: 'object',
    required: ['users', 'periods', 'days', 'differing', 'corrected', '_cursor'],
    additionalProperties: false,
    properties: {
      users: { type: 'integer' },
      periods: { type: 'integer' },
      days: { type: 'integer' },
      differing: { type: 'integer' },
      corrected: { type: 'integer' },
      _cursor: listCursor,
    },
  },
})

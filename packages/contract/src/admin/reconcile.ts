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

const time = { type: 'string', format: 'date-time' } as const

/** `sent_again` is whether the tasks of the hour were sent again; the counts are from after that. */
const comparedHour = {
  type: 'object',
  required: ['hour', 'functions', 'insights', 'same', 'sent_again'],
  additionalProperties: false,
  properties: {
    hour: time,
    functions: { type: 'integer' },
    insights: { type: 'integer' },
    same: { type: 'boolean' },
    sent_again: { type: 'boolean' },
  },
} as const

/**
 * The last comparison that somebody started. It first compares days, then sends hours again one by one: `parts_done` of `parts`. `hours` has
 * the hours that were compared so far; hours without tasks are omitted. `until` is not after the start. `open_calls` counts the calls that
 * began before `until`, had not ended, and were not compared. `tasks_sent` counts tasks that were sent again.
 */
export const reconcileRun = {
  type: 'object',
  required: ['id', 'state', 'error', 'started_at', 'since', 'until', 'dry_run', 'parts', 'parts_done', 'open_calls', 'tasks_sent', 'hours'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', format: 'uuid' },
    state: { type: 'string', enum: ['comparing', 'sending', 'done', 'failed', 'stopped'] },
    error: { type: ['string', 'null'] },
    started_at: time,
    since: time,
    until: time,
    dry_run: { type: 'boolean' },
    parts: { type: 'integer' },
    parts_done: { type: 'integer' },
    open_calls: { type: 'integer' },
    tasks_sent: { type: 'integer' },
    hours: { type: 'array', items: comparedHour },
  },
} as const

/**
 * Compares the full hours of a span, at most 40 days, and sends again the hours that differ: those in `hours`, or all. It replaces the one
 * that is running.
 */
export const startReconcile = endpoint({
  method: 'post',
  path: '/admin/reconcile',
  access: { role: 'operator' },
  action: 'reconcile.start',
  summary: 'Compare the tasks of both services, and send missing ones again.',
  body: {
    ...span,
    properties: { ...span.properties, dry_run: { type: 'boolean', default: false }, hours: { type: 'array', maxItems: 960, items: time } },
  },
  answer: reconcileRun,
})

const lastRun = {
  type: 'object',
  required: ['run'],
  additionalProperties: false,
  properties: { run: { anyOf: [reconcileRun, { type: 'null' }] } },
} as const

export const readReconcile = endpoint({
  method: 'get',
  path: '/admin/reconcile',
  access: { role: 'operator' },
  summary: 'Read the progress and the result of the last comparison.',
  answer: lastRun,
})

export const stopReconcile = endpoint({
  method: 'delete',
  path: '/admin/reconcile',
  access: { role: 'operator' },
  action: 'reconcile.stop',
  summary: 'Stop the comparison that is running.',
  answer: lastRun,
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

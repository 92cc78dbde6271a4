import { endpoint } from '../endpoint.ts'
import { listCursor } from '../parts.ts'
import { arrayOf, object, time, uuid } from '../schemas.ts'

/** A span of time, from `since` to before `until`; at most 40 days. */
export const span = object({ since: time, until: time })

/** Tasks by hour; hours without tasks are omitted. `xor` is the exclusive or of the task ids, as 32 hexadecimal digits. */
export const taskHours = arrayOf(
  object({
    hour: time,
    tasks: { type: 'integer' },
    xor: { type: 'string', pattern: '^[0-9a-f]{32}$' },
  }),
)

/** `sent_again` is whether the tasks of the hour were sent again; the counts are from after that. */
const comparedHour = object({
  hour: time,
  functions: { type: 'integer' },
  insights: { type: 'integer' },
  same: { type: 'boolean' },
  sent_again: { type: 'boolean' },
})

/**
 * The last comparison that somebody started. It first compares days, then sends hours again one by one: `parts_done` of `parts`. `hours` has
 * the hours that were compared so far; hours without tasks are omitted. `until` is not after the start. `open_calls` counts the calls that
 * began before `until`, had not ended, and were not compared. `tasks_sent` counts tasks that were sent again.
 */
export const reconcileRun = object({
  id: uuid,
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
  hours: arrayOf(comparedHour),
})

/**
 * Compares a span, at most 40 days, from the hour of `since` to `until`, without the last ten seconds. Then sends again the hours that differ:
 * those in `hours`, or all. It replaces the one that is running.
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
  response: reconcileRun,
})

const lastRun = object({ run: { anyOf: [reconcileRun, { type: 'null' }] } })

export const readReconcile = endpoint({
  method: 'get',
  path: '/admin/reconcile',
  access: { role: 'operator' },
  summary: 'Read the progress and the result of the last comparison.',
  response: lastRun,
})

export const stopReconcile = endpoint({
  method: 'delete',
  path: '/admin/reconcile',
  access: { role: 'operator' },
  action: 'reconcile.stop',
  summary: 'Stop the comparison that is running.',
  response: lastRun,
})

/** Handles one page of users. `periods` is the number of compared periods. `differing` and `corrected` count periods and days of users. */
export const rebuildUsage = endpoint({
  method: 'post',
  path: '/admin/usage/rebuild',
  access: { role: 'operator' },
  action: 'usage.rebuild',
  summary: 'Compare what users consumed with their task events, and correct differences.',
  body: object(
    {},
    {
      app_key: { type: 'string', minLength: 1, maxLength: 200 },
      dry_run: { type: 'boolean', default: false },
      _cursor: { type: ['string', 'null'] },
    },
  ),
  response: object({
    users: { type: 'integer' },
    periods: { type: 'integer' },
    days: { type: 'integer' },
    differing: { type: 'integer' },
    corrected: { type: 'integer' },
    _cursor: listCursor,
  }),
})

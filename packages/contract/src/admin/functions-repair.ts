import { endpoint } from '../endpoint.ts'
import { listCursor } from '../parts.ts'
import { span, taskHours } from './repair-parts.ts'

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

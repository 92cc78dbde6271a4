import { endpoint } from '../endpoint.ts'
import { listCursor } from '../functions/parts.ts'
import { span, taskHours } from './repair-parts.ts'

/** `open_calls` are calls from before `until` that have not ended; `outbox_oldest_at` is when the oldest task that insights has not confirmed was queued. */
export const readCallHours = endpoint({
  method: 'get',
  path: '/admin/calls/hours',
  summary: 'Count the calls that are tasks by the hour.',
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

/** Insights knows again what it has counted. A span of many calls takes several requests: `_cursor` says that there is more. */
export const resendCalls = endpoint({
  method: 'post',
  path: '/admin/calls/resend',
  summary: 'Send the tasks of a span of time to insights once more.',
  body: { ...span, properties: { ...span.properties, _cursor: { type: ['string', 'null'] } } },
  answer: {
    type: 'object',
    required: ['tasks', 'sent_at', '_cursor'],
    additionalProperties: false,
    properties: { tasks: { type: 'integer' }, sent_at: { type: 'string', format: 'date-time' }, _cursor: listCursor },
  },
})

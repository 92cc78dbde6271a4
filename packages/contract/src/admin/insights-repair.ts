import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize } from '../parts.ts'
import { span, taskHours } from './repair-parts.ts'

/** `event` is the JSON text of what could not be counted: an event or, where nothing in it could be read, a whole job. */
export const listQuarantine = endpoint({
  method: 'get',
  path: '/admin/quarantine',
  summary: 'List what could not be counted, newest first.',
  query: {
    type: 'object',
    properties: {
      reason: { type: 'string', maxLength: 200 },
      app_key: { type: 'string', maxLength: 200 },
      page_size: pageSize,
      _cursor: { type: 'string' },
    },
  },
  answer: {
    type: 'object',
    required: ['quarantined', '_cursor'],
    additionalProperties: false,
    properties: {
      quarantined: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'created_at', 'app_key', 'reason', 'job_id', 'event'],
          additionalProperties: false,
          properties: {
            id: { type: 'integer' },
            created_at: { type: 'string', format: 'date-time' },
            app_key: { type: ['string', 'null'] },
            reason: { type: 'string' },
            job_id: { type: 'string' },
            event: { type: 'string' },
          },
        },
      },
      _cursor: listCursor,
    },
  },
})

/** Those with the `ids`, or a page of all, the newest first, when there are none. What counts or was counted before leaves quarantine. */
export const replayQuarantine = endpoint({
  method: 'post',
  path: '/admin/quarantine/replay',
  summary: 'Count once more what could not be counted.',
  body: {
    type: 'object',
    additionalProperties: false,
    properties: {
      ids: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        items: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      },
      _cursor: { type: ['string', 'null'] },
    },
  },
  answer: {
    type: 'object',
    required: ['counted', 'repeated', 'refused', '_cursor'],
    additionalProperties: false,
    properties: { counted: { type: 'integer' }, repeated: { type: 'integer' }, refused: { type: 'integer' }, _cursor: listCursor },
  },
})

export const dropQuarantined = endpoint({
  method: 'delete',
  path: '/admin/quarantine/:id',
  summary: 'Give up something that could not be counted.',
  answer: {
    type: 'object',
    required: ['success'],
    additionalProperties: false,
    properties: { success: { type: 'boolean', const: true } },
  },
})

/** One page of users: `_cursor` says that there are more. `differing` and `corrected` count windows and days of users. */
export const rebuildUsage = endpoint({
  method: 'post',
  path: '/admin/usage/rebuild',
  summary: 'Compare what users consumed with their events, and put right what differs.',
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
    required: ['users', 'windows', 'days', 'differing', 'corrected', '_cursor'],
    additionalProperties: false,
    properties: {
      users: { type: 'integer' },
      windows: { type: 'integer' },
      days: { type: 'integer' },
      differing: { type: 'integer' },
      corrected: { type: 'integer' },
      _cursor: listCursor,
    },
  },
})

/** Events that are counted, and those in quarantine that say when which task occurred. */
export const readEventHours = endpoint({
  method: 'get',
  path: '/admin/events/hours',
  summary: 'Count the tasks that are known by the hour.',
  query: span,
  answer: { type: 'object', required: ['hours'], additionalProperties: false, properties: { hours: taskHours } },
})

import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, success } from '../parts.ts'
import { span, taskHours } from './repair-parts.ts'

/** `event` is the JSON text of a task event, or of a whole job that could not be parsed. */
export const listQuarantine = endpoint({
  method: 'get',
  path: '/admin/quarantine',
  access: { role: 'operator' },
  summary: 'List task events that could not be counted, newest first.',
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

/**
 * Tries to count the entries with these `ids` or, without `ids`, one page of all entries, newest first. Removes the entries that are now
 * `counted` or had been counted before (`repeated`). The `refused` entries stay.
 */
export const replayQuarantine = endpoint({
  method: 'post',
  path: '/admin/quarantine/replay',
  access: { role: 'operator' },
  action: 'quarantine.replay',
  summary: 'Try again to count task events from quarantine.',
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
  access: { role: 'operator' },
  action: 'quarantine.delete',
  summary: 'Remove an entry from quarantine without counting it.',
  answer: success,
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

/** Includes events in quarantine that have a valid id and time. */
export const readEventHours = endpoint({
  method: 'get',
  path: '/admin/events/hours',
  access: { role: 'operator' },
  summary: 'Count the known tasks per hour.',
  query: span,
  answer: { type: 'object', required: ['hours'], additionalProperties: false, properties: { hours: taskHours } },
})

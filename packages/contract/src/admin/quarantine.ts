import { endpoint } from '../endpoint.ts'
import { listCursor, pageSize, success } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

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
  response: object({
    quarantined: arrayOf(
      object({
        id: { type: 'integer' },
        created_at: time,
        app_key: { type: ['string', 'null'] },
        reason: { type: 'string' },
        job_id: { type: 'string' },
        event: { type: 'string' },
      }),
    ),
    _cursor: listCursor,
  }),
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
  body: object(
    {},
    {
      ids: {
        type: 'array',
        minItems: 1,
        maxItems: 200,
        uniqueItems: true,
        items: { type: 'integer', minimum: 1, maximum: 9007199254740991 },
      },
      _cursor: { type: ['string', 'null'] },
    },
  ),
  response: object({ counted: { type: 'integer' }, repeated: { type: 'integer' }, refused: { type: 'integer' }, _cursor: listCursor }),
})

export const dropQuarantined = endpoint({
  method: 'delete',
  path: '/admin/quarantine/:id',
  access: { role: 'operator' },
  action: 'quarantine.delete',
  summary: 'Remove an entry from quarantine without counting it.',
  response: success,
})

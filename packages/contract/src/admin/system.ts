import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { arrayOf, object, time, timeOrNull } from '../schemas.ts'

/** A part that the service needs. It is `slow` if it took more than half a second to answer, and `down` if it did not answer in two. */
const part = object({
  name: { type: 'string' },
  status: { type: 'string', enum: ['up', 'slow', 'down'] },

  /** How long the response took, or why there was none. */
  detail: { type: 'string' },
})

/** A number that shows whether work is waiting. `since` is the time of the oldest work, or the time at which the number was determined. */
const figure = object({
  name: { type: 'string' },

  /** Null if it could not be read. */
  value: { type: ['integer', 'null'] },
  unit: { type: 'string' },
  since: timeOrNull,
})

/** A partition of a table. `rows_estimate` is the estimate of Postgres; null before the first one. */
const partition = object({ name: { type: 'string' }, from: time, until: time, rows_estimate: { type: ['integer', 'null'] } })

export type SystemPart = FromSchema<typeof part>
export type SystemFigure = FromSchema<typeof figure>

/**
 * Served by both services, each about itself. `started_at` is the start of the process that answers. `call_bodies` says which bodies of calls
 * functions stores; null in insights.
 */
export const readSystem = endpoint({
  method: 'get',
  path: '/admin/system',
  access: { role: 'operator' },
  summary: 'Show whether the parts of the service answer, and how much work is waiting.',
  errors: [],
  response: object({
    version: { type: 'string' },
    started_at: time,
    parts: arrayOf(part),
    figures: arrayOf(figure),
    partitions: arrayOf(partition),
    call_bodies: { type: ['string', 'null'], enum: ['none', 'errors', 'all', null] },
  }),
})

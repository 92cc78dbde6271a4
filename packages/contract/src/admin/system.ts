import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'

const time = { type: 'string', format: 'date-time' } as const
const timeOrNull = { type: ['string', 'null'], format: 'date-time' } as const

/** A part that the service needs. It is `slow` if it took more than half a second to answer, and `down` if it did not answer in two. */
const part = {
  type: 'object',
  required: ['name', 'status', 'detail'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    status: { type: 'string', enum: ['up', 'slow', 'down'] },
    /** How long the response took, or why there was none. */
    detail: { type: 'string' },
  },
} as const

/** A number that shows whether work is waiting. `since` is the time of the oldest work, or the time at which the number was determined. */
const figure = {
  type: 'object',
  required: ['name', 'value', 'unit', 'since'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    /** Null if it could not be read. */
    value: { type: ['integer', 'null'] },
    unit: { type: 'string' },
    since: timeOrNull,
  },
} as const

/** A partition of a table. `rows_estimate` is the estimate of Postgres; null before the first one. */
const partition = {
  type: 'object',
  required: ['name', 'from', 'until', 'rows_estimate'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, from: time, until: time, rows_estimate: { type: ['integer', 'null'] } },
} as const

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
  answer: {
    type: 'object',
    required: ['version', 'started_at', 'parts', 'figures', 'partitions', 'call_bodies'],
    additionalProperties: false,
    properties: {
      version: { type: 'string' },
      started_at: time,
      parts: { type: 'array', items: part },
      figures: { type: 'array', items: figure },
      partitions: { type: 'array', items: partition },
      call_bodies: { type: ['string', 'null'], enum: ['none', 'errors', 'all', null] },
    },
  },
})

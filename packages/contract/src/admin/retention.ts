import { endpoint } from '../endpoint.ts'

/** The same for both services: partitions that were made and dropped, and the rows that were deleted where they were too old. */
export const runRetention = endpoint({
  method: 'post',
  path: '/admin/retention/run',
  summary: 'Make the partitions that are due and drop what is too old, now rather than within the hour.',
  answer: {
    type: 'object',
    required: ['made', 'dropped', 'deleted'],
    additionalProperties: false,
    properties: {
      made: { type: 'array', items: { type: 'string' } },
      dropped: { type: 'array', items: { type: 'string' } },
      deleted: {
        type: 'array',
        items: {
          type: 'object',
          required: ['table', 'rows'],
          additionalProperties: false,
          properties: { table: { type: 'string' }, rows: { type: 'integer' } },
        },
      },
    },
  },
})

import { endpoint } from '../endpoint.ts'

/** Used by both services. Returns the partitions that were created and dropped, and the number of old rows that were deleted. */
export const runRetention = endpoint({
  method: 'post',
  path: '/admin/retention/run',
  access: { role: 'operator' },
  action: 'retention.run',
  summary: 'Create partitions and delete old data now, instead of within the hour.',
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

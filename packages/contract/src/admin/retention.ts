import { endpoint } from '../endpoint.ts'
import { arrayOf, object } from '../schemas.ts'

/** Used by both services. Returns the partitions that were created and dropped, and the number of old rows that were deleted. */
export const runRetention = endpoint({
  method: 'post',
  path: '/admin/retention/run',
  access: { role: 'operator' },
  action: 'retention.run',
  summary: 'Create partitions and delete old data now, instead of within the hour.',
  response: object({
    made: arrayOf({ type: 'string' }),
    dropped: arrayOf({ type: 'string' }),
    deleted: arrayOf(object({ table: { type: 'string' }, rows: { type: 'integer' } })),
  }),
})

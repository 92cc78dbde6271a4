import { endpoint } from '../endpoint.ts'
import { object } from '../schemas.ts'

/** Used by both services. One request changes at most 5,000 values; repeat it until `complete`. */
export const resealSecrets = endpoint({
  method: 'post',
  path: '/admin/secrets/reseal',
  access: { role: 'operator' },
  action: 'secrets.reseal',
  summary: 'Encrypt the keys of stored secrets with the first sealing key, so that the other sealing keys can be removed.',
  response: object({ resealed: { type: 'integer' }, complete: { type: 'boolean' } }),
})

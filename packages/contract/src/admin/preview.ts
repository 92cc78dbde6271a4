import { endpoint } from '../endpoint.ts'
import { callCursor, fields, variables, verdict } from '../functions/parts.ts'
import { arrayOf, object } from '../schemas.ts'

/**
 * Takes the body of a call, and returns the request that the call would send to the app. Nothing is sent. Secrets of the account appear as
 * `[redacted]`. `body_is_binary` says whether the body has files; each appears as `<file from its URL>` or `<file of 1024 bytes>`. An access token that the call would renew first is not renewed. `account_id` is the account that the call would use;
 * null if the app needs none. `policy` is what the rules of the application say about the call.
 */
export const previewCall = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/users/:user_id/functions/:function_name/preview',
  access: { role: 'developer', in: ['app_key'] },
  action: null,
  summary: 'Return the request that a call would send to the app, without secrets; nothing is sent.',
  query: { type: 'object', properties: { connected_account_id: { type: 'string' }, _cursor: { type: 'string' } } },
  body: { type: 'object', properties: { _variables: variables, _cursor: callCursor, _fields: fields }, additionalProperties: true },
  errors: ['account_not_connected', 'account_not_found', 'account_reconnect_required', 'application_not_found', 'function_not_found'],
  response: object({
    method: { type: 'string' },
    url: { type: 'string' },
    headers: arrayOf(object({ name: { type: 'string' }, value: { type: 'string' } })),
    body: { type: ['string', 'null'] },
    body_is_binary: { type: 'boolean' },
    account_id: { type: ['integer', 'null'] },
    policy: verdict,
  }),
})

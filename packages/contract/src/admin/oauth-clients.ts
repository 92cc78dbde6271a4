import { endpoint } from '../endpoint.ts'
import { success, unchanged } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

/** A scope of RFC 6749, section 3.3. */
const scope = { type: 'string', maxLength: 300, pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+$' } as const
const scopes = { type: ['array', 'null'], items: scope, minItems: 1, maxItems: 200, uniqueItems: true } as const

/** `scopes` are requested from users; null for the scopes of the app file. */
const client = object({
  app: { type: 'string' },
  client_id: { type: 'string' },
  scopes,
  modified_at: time,
})

const visible = { type: 'string', minLength: 1, maxLength: 2048, pattern: '^[\\x20-\\x7e]+$' } as const

/**
 * The secret is stored sealed and is never returned. Omitted `scopes` do not change; null restores the scopes of the app file. In
 * `if_unchanged`, a null `client_id` says that no client was stored.
 */
export const putOAuthClient = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/oauth-clients/:app',
  access: { role: 'developer', in: ['app_key'] },
  action: 'oauth-client.change',
  summary: "Store an application's OAuth client for an app, as the app's provider registered it.",
  body: object(
    { client_id: visible, client_secret: { ...visible, writeOnly: true } },
    { scopes, if_unchanged: unchanged({ client_id: { ...visible, type: ['string', 'null'] }, scopes }) },
  ),
  errors: ['app_not_found', 'application_not_found', 'changed_since_read'],
  response: client,
})

export const listOAuthClients = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/oauth-clients',
  access: { role: 'viewer', in: ['app_key'] },
  summary: "List an application's OAuth clients, without their secrets.",
  response: object({ oauth_clients: arrayOf(client) }),
})

export const deleteOAuthClient = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/oauth-clients/:app',
  access: { role: 'developer', in: ['app_key'] },
  action: 'oauth-client.delete',
  summary: "Delete an application's OAuth client: accounts of the app can no longer be connected or renewed with it.",
  response: success,
})

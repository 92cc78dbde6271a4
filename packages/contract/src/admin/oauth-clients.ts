import { endpoint } from '../endpoint.ts'

const client = {
  type: 'object',
  required: ['app', 'client_id', 'modified_at'],
  additionalProperties: false,
  properties: { app: { type: 'string' }, client_id: { type: 'string' }, modified_at: { type: 'string', format: 'date-time' } },
} as const

const visible = { type: 'string', minLength: 1, maxLength: 2048, pattern: '^[\\x20-\\x7e]+$' } as const

/** The secret is kept sealed, and never shown again. */
export const putOAuthClient = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/oauth-clients/:app',
  summary: "Store an application's OAuth client for an app, as the app's provider registered it.",
  body: {
    type: 'object',
    required: ['client_id', 'client_secret'],
    additionalProperties: false,
    properties: { client_id: visible, client_secret: visible },
  },
  answer: client,
})

export const listOAuthClients = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/oauth-clients',
  summary: "List an application's OAuth clients, without their secrets.",
  answer: {
    type: 'object',
    required: ['oauth_clients'],
    additionalProperties: false,
    properties: { oauth_clients: { type: 'array', items: client } },
  },
})

export const deleteOAuthClient = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/oauth-clients/:app',
  summary: "Delete an application's OAuth client: no account of the app can be connected or renewed by it any more.",
  answer: {
    type: 'object',
    required: ['success'],
    additionalProperties: false,
    properties: { success: { type: 'boolean', const: true } },
  },
})

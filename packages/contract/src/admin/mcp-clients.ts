import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

const name = { type: 'string', minLength: 1, maxLength: 60 } as const
const redirectUris = { type: 'array', minItems: 1, maxItems: 20, uniqueItems: true, items: { type: 'string', maxLength: 2_048 } } as const
/** How a client of an MCP host authenticates. */
export const mcpAuthMethods = ['none', 'client_secret_post', 'client_secret_basic'] as const
export type McpAuthMethod = (typeof mcpAuthMethods)[number]

const authMethod = { type: 'string', enum: mcpAuthMethods } as const
const client = { client_id: { type: 'string' }, name, redirect_uris: redirectUris, auth_method: authMethod, created_at: time } as const

/**
 * For an MCP host that asks for a client id, and perhaps a secret, in place of registering itself. The client works only with the MCP URL of this
 * application, and does not expire. `redirect_uris` are the addresses that the host names: with https, http to `localhost`, or a private scheme.
 * The secret, which is null with the `auth_method` `none`, is shown only once.
 */
export const createMcpClient = endpoint({
  method: 'post',
  path: '/admin/applications/:app_key/mcp-clients',
  access: { role: 'owner', in: ['app_key'] },
  action: 'mcp-client.create',
  summary: 'Make an OAuth client by hand, for an MCP host that asks for a client id.',
  body: object({ name, redirect_uris: redirectUris }, { auth_method: { ...authMethod, default: 'client_secret_post' } }),
  errors: ['application_not_found'],
  response: object({ ...client, client_secret: { type: ['string', 'null'] } }),
})

/** Clients that registered themselves belong to no application, and are not listed. */
export const listMcpClients = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/mcp-clients',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'List the OAuth clients for MCP hosts that were made by hand.',
  errors: ['application_not_found'],
  response: object({ mcp_clients: arrayOf(object(client)) }),
})

export const deleteMcpClient = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/mcp-clients/:client_id',
  access: { role: 'owner', in: ['app_key'] },
  action: 'mcp-client.delete',
  summary: 'Delete an OAuth client for an MCP host, with the access that users gave to it.',
  errors: ['application_not_found', 'mcp_client_not_found'],
  response: success,
})

import { endpoint } from '../endpoint.ts'
import { mcpTokenItem } from '../functions/mcp.ts'
import { listCursor, pageSizeRange, success, userIdFilter } from '../parts.ts'
import { arrayOf, object, time } from '../schemas.ts'

/** Newest first, with the user of each token. Tokens that have ended are left out. */
export const listApplicationMcpTokens = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/mcp-tokens',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'List the MCP tokens of an application, of one user or of all.',
  query: {
    type: 'object',
    properties: { user_id: userIdFilter, page_size: { ...pageSizeRange, default: 50 }, _cursor: { type: 'string' } },
  },
  errors: ['application_not_found'],
  response: object({
    tokens: arrayOf({
      ...mcpTokenItem,
      required: [...mcpTokenItem.required, 'user_id'],
      properties: { ...mcpTokenItem.properties, user_id: { type: 'string' } },
    }),
    _cursor: listCursor,
  }),
})

/**
 * Counts the calls that were made with a token since `since`, by default in the last 30 days, and at most in the last 100. `tasks` are the calls
 * that were sent, and `failed` is as in the statistics. Reads the 100,000 newest calls of the user: `complete` is false if there are more. Calls
 * that were made before the service knew this endpoint are not counted.
 */
export const readMcpTokenUsage = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/mcp-tokens/:id/usage',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Count the calls and tasks of an MCP token.',
  query: { type: 'object', properties: { since: time } },
  errors: ['application_not_found', 'mcp_token_not_found'],
  response: object({
    since: time,
    calls: { type: 'integer' },
    tasks: { type: 'integer' },
    failed: { type: 'integer' },
    complete: { type: 'boolean' },
  }),
})

export const revokeApplicationMcpToken = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/mcp-tokens/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-token.revoke',
  summary: 'Revoke an MCP token of any user of an application: every later request with it is refused.',
  errors: ['application_not_found', 'mcp_token_not_found'],
  response: success,
})

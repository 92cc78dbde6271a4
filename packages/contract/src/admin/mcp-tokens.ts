import { endpoint } from '../endpoint.ts'
import { mcpTokenItem } from '../functions/mcp.ts'
import { listCursor, pageSizeRange, success, userIdFilter } from '../parts.ts'
import { arrayOf, object } from '../schemas.ts'

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

export const revokeApplicationMcpToken = endpoint({
  method: 'delete',
  path: '/admin/applications/:app_key/mcp-tokens/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-token.revoke',
  summary: 'Revoke an MCP token of any user of an application: every later request with it is refused.',
  errors: ['application_not_found', 'mcp_token_not_found'],
  response: success,
})

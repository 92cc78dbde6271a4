import { endpoint } from '../endpoint.ts'
import { success } from '../parts.ts'

const handOffUrl = { type: ['string', 'null'], minLength: 1, maxLength: 2048 } as const

export const getMcpSignIn = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/mcp-sign-in',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Read how the users of an application sign in to give MCP clients access.',
  errors: ['application_not_found'],
  answer: {
    type: 'object',
    required: ['hand_off_url'],
    additionalProperties: false,
    properties: { hand_off_url: handOffUrl },
  },
})

/**
 * With `hand_off_url`, the browser of a user who adds the MCP URL to a program is sent to this page of the application, with the query parameter
 * `request`. The server of the application then approves the request with `POST /mcp/sign-in/approve`. Without it, users sign in with links of
 * `POST /mcp/sign-in/link`, which work in both cases.
 */
export const putMcpSignIn = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/mcp-sign-in',
  access: { role: 'owner', in: ['app_key'] },
  action: 'mcp-sign-in.change',
  summary: 'Set how the users of an application sign in to give MCP clients access.',
  body: {
    type: 'object',
    required: ['hand_off_url'],
    additionalProperties: false,
    properties: { hand_off_url: handOffUrl },
  },
  errors: ['application_not_found'],
  answer: success,
})

import { endpoint } from '../endpoint.ts'
import { success, unchanged } from '../parts.ts'
import { object, orNull } from '../schemas.ts'

const handOffUrl = { type: ['string', 'null'], minLength: 1, maxLength: 2048 } as const

const openidProperties = {
  issuer: { type: 'string', minLength: 1, maxLength: 2048 },
  client_id: { type: 'string', minLength: 1, maxLength: 500 },
  claim: { type: 'string', minLength: 1, maxLength: 100 },
} as const

/**
 * `redirect_url` is where the OpenID provider sends the browser back to. `mcp_url` is what users add to their programs. Both begin with
 * PUBLIC_URL, or with the address of this request if it is not set.
 */
export const getMcpSignIn = endpoint({
  method: 'get',
  path: '/admin/applications/:app_key/mcp-sign-in',
  access: { role: 'viewer', in: ['app_key'] },
  summary: 'Read how the users of an application sign in to give MCP clients access.',
  errors: ['application_not_found'],
  response: object({
    hand_off_url: handOffUrl,
    openid: orNull(object(openidProperties)),
    redirect_url: { type: 'string' },
    mcp_url: { type: 'string' },
  }),
})

/**
 * With `hand_off_url`, the browser of a user who adds the MCP URL to a program is sent to this page of the application, with the query parameter
 * `request`. The server of the application then approves the request with `POST /mcp/sign-in/approve`. With `openid`, it is sent to the OpenID
 * provider of the application, and the value of `claim` is the User-ID; an `email` must be verified. Register `redirect_url` at the provider. Without
 * `client_secret`, the stored secret stays, as long as `issuer` and `client_id` stay. Without either setting, users sign in with links of
 * `POST /mcp/sign-in/link`, which always work. A setting that is omitted is removed.
 */
export const putMcpSignIn = endpoint({
  method: 'put',
  path: '/admin/applications/:app_key/mcp-sign-in',
  access: { role: 'owner', in: ['app_key'] },
  action: 'mcp-sign-in.change',
  summary: 'Set how the users of an application sign in to give MCP clients access.',
  body: object(
    {},
    {
      hand_off_url: handOffUrl,
      openid: {
        type: ['object', 'null'],
        required: ['issuer', 'client_id'],
        additionalProperties: false,
        properties: {
          ...openidProperties,
          client_secret: { type: 'string', minLength: 1, maxLength: 1_000, writeOnly: true },
          claim: { ...openidProperties.claim, default: 'sub' },
        },
      },
      if_unchanged: unchanged({ hand_off_url: handOffUrl, openid: orNull(object(openidProperties)) }),
    },
  ),
  errors: ['application_not_found', 'changed_since_read'],
  response: success,
})

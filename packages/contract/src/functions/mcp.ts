import type { FromSchema } from 'json-schema-to-ts'
import { endpoint } from '../endpoint.ts'
import { listCursor, pageSizeRange, success } from '../parts.ts'
import { arrayOf, object, orNull, time, timeOrNull, uuid } from '../schemas.ts'
import { policyRules } from './policy-rules.ts'

/**
 * What `tools/list` of the MCP server returns. `direct`: a tool for each function that the user can call. `search`: six tools that find and
 * call functions, for any number of functions.
 */
export const mcpModes = ['direct', 'search'] as const
export type McpMode = (typeof mcpModes)[number]

/** What a token was made by: the server of the application, or a member of the workspace at the console, with this role. */
export const mcpTokenRoles = ['application', 'developer', 'owner'] as const
export type McpTokenRole = (typeof mcpTokenRoles)[number]

const names = {
  type: 'array',
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  items: { type: 'string', minLength: 1, maxLength: 100 },
} as const

/**
 * A token without its secret. `apps` and `functions` are null if the token allows all. `role` is the role of its maker: a token of a
 * developer allows no destructive functions. `client` is the OAuth client that the user allowed on the sign-in pages, and the host that the user
 * was sent back to; null for a token that was created with `POST /mcp/tokens`. `last_used_at` is exact to a minute.
 */
export const mcpTokenItem = object({
  id: uuid,
  name: { type: 'string' },
  mode: { type: 'string', enum: mcpModes },
  apps: { type: ['array', 'null'], items: { type: 'string' } },
  functions: { type: ['array', 'null'], items: { type: 'string' } },
  read_only: { type: 'boolean' },
  rules: policyRules,
  output_chars: { type: 'integer' },
  role: { type: 'string', enum: mcpTokenRoles },
  client: orNull(object({ id: { type: 'string' }, redirect_host: { type: 'string' } })),
  created_at: time,
  expires_at: time,
  last_used_at: timeOrNull,
})

const tokenProperties = mcpTokenItem.properties

export type McpTokenItem = FromSchema<typeof mcpTokenItem>

const EXAMPLE_URL = 'https://onward.example.com/mcp'
const EXAMPLE_TOKEN = 'mcp_dG9rZW4tb2YtdGhlLWV4YW1wbGUtMDEyMzQ1Njc4OWE'
const exampleHeaders = { Authorization: `Bearer ${EXAMPLE_TOKEN}` } as const

const exampleToken = {
  id: '019ac2f6-1d7e-7b02-8e45-6a3c9f0d2b18',
  name: 'Editor',
  mode: 'search',
  apps: ['addressbook'],
  functions: null,
  read_only: true,
  rules: [],
  output_chars: 30_000,
  role: 'application',
  client: null,
  created_at: '2026-11-23T08:15:30.000Z',
  expires_at: '2026-12-23T08:15:30.000Z',
  last_used_at: null,
} as const

/**
 * Creates a token with which an MCP client acts for the caller's user at `/mcp`. `token` is shown only in this response. A token ends with
 * the application secret that signed this request. One that a member makes at the console has the member's role. Pages in browsers cannot
 * create tokens. A function is allowed if `apps` and `functions` both allow it; without them, all are.
 * `read_only` allows only functions of the type QUERY. `rules` are rules for calls, as the application has: the token allows no more than either, and the
 * strictest of its rules that match a call decides. `output_chars` is the longest output of a function that a tool returns; a longer one is
 * cut. `tools` is the number of tools that the token offers now, and `settings` holds what three MCP clients need: a command for Claude Code,
 * and the contents of the settings files of Cursor and VS Code.
 */
export const createMcpToken = endpoint({
  method: 'post',
  path: '/mcp/tokens',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-token.create',
  summary: 'Create a token with which an MCP client acts for the user.',
  body: object(
    { mode: tokenProperties.mode },
    {
      name: { type: 'string', minLength: 1, maxLength: 100, default: 'MCP client' },
      apps: names,
      functions: names,
      read_only: { type: 'boolean', default: false },
      rules: { ...policyRules, default: [] },
      expires_in_days: { type: 'integer', minimum: 1, maximum: 365, default: 30 },
      output_chars: { type: 'integer', minimum: 1_000, maximum: 1_000_000, default: 30_000 },
    },
  ),
  errors: ['too_many_mcp_tokens', 'origin_not_allowed'],
  response: object({
    id: tokenProperties.id,
    token: { type: 'string' },
    url: { type: 'string' },
    role: tokenProperties.role,
    expires_at: tokenProperties.expires_at,
    tools: { type: 'integer' },
    settings: object({
      claude_code: { type: 'string' },
      cursor: { type: 'object', additionalProperties: true },
      vscode: { type: 'object', additionalProperties: true },
    }),
  }),
  examples: [
    {
      summary: 'A token that only reads one app',
      body: { mode: 'search', name: 'Editor', apps: ['addressbook'], read_only: true },
      response: {
        id: exampleToken.id,
        token: EXAMPLE_TOKEN,
        url: EXAMPLE_URL,
        role: exampleToken.role,
        expires_at: exampleToken.expires_at,
        tools: 5,
        settings: {
          claude_code: `claude mcp add --transport http onward ${EXAMPLE_URL} --header "Authorization: Bearer ${EXAMPLE_TOKEN}"`,
          cursor: { mcpServers: { onward: { url: EXAMPLE_URL, headers: exampleHeaders } } },
          vscode: { servers: { onward: { type: 'http', url: EXAMPLE_URL, headers: exampleHeaders } } },
        },
      },
    },
  ],
})

export const listMcpTokens = endpoint({
  method: 'post',
  path: '/mcp/tokens/list',
  access: { role: 'viewer', in: ['app_key'] },
  action: null,
  summary: "List the user's MCP tokens that have not ended, newest first.",
  query: { type: 'object', properties: { _cursor: { type: 'string' } } },
  body: object({}, { _cursor: listCursor, page_size: { ...pageSizeRange, default: 50 } }),
  errors: [],
  response: object({ tokens: arrayOf(mcpTokenItem), _cursor: listCursor }),
  examples: [{ summary: 'All tokens', body: { page_size: 50 }, response: { tokens: [exampleToken], _cursor: null } }],
})

/**
 * `apps` and `functions` replace those that the token allows, and must be among them. `read_only` can be turned on. `rules` are added. What is omitted stays. The next
 * request with the token already has less.
 */
export const narrowMcpToken = endpoint({
  method: 'patch',
  path: '/mcp/tokens/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-token.narrow',
  summary: "Allow less with one of the user's MCP tokens.",
  body: object({}, { apps: names, functions: names, read_only: { type: 'boolean' }, rules: policyRules }),
  errors: ['mcp_token_not_found'],
  response: mcpTokenItem,
  examples: [
    {
      summary: 'A token that can only read from now on',
      params: { id: exampleToken.id },
      body: { read_only: true },
      response: exampleToken,
    },
  ],
})

export const revokeMcpToken = endpoint({
  method: 'delete',
  path: '/mcp/tokens/:id',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-token.revoke',
  summary: "Revoke one of the user's MCP tokens: every later request with it is refused.",
  errors: ['mcp_token_not_found'],
  response: success,
  examples: [{ summary: 'Revoke a token', params: { id: exampleToken.id }, response: { success: true } }],
})

/**
 * The link shows a page on which the user signs in to one browser for half an hour. In this browser, the user can then let MCP clients that know
 * only the MCP URL of the application act on the user's behalf. The link can be used once, before `expires_at`. It is a credential: show it only
 * to the user. What the user allows ends with the application secret that signed this request, as tokens do. `mcp_url` is the MCP URL.
 */
export const createMcpSignInLink = endpoint({
  method: 'post',
  path: '/mcp/sign-in/link',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-sign-in.create',
  summary: 'Make a link with which the user signs in to give MCP clients access.',
  body: object({}, { expires_in_minutes: { type: 'integer', minimum: 1, maximum: 1_440, default: 10 } }),
  errors: ['origin_not_allowed'],
  response: object({ url: { type: 'string' }, expires_at: tokenProperties.expires_at, mcp_url: { type: 'string' } }),
  examples: [
    {
      summary: 'A link that can be opened for an hour',
      body: { expires_in_minutes: 60 },
      response: {
        url: 'https://onward.example.com/oauth/link/AmRldg6kXo1v',
        expires_at: '2026-11-27T08:25:30.000Z',
        mcp_url: `${EXAMPLE_URL}/ak_7c2f`,
      },
    },
  ],
})

/**
 * For applications with a `hand_off_url`. `request` is the parameter with which the browser came to that page. Approve it for the user who is signed
 * in there, then redirect the browser to `url`, which works once, within five minutes, and only in the browser that began. The user then decides what
 * the program may do. `client` is the program that asks, and `redirect_host` where the browser goes at the end; null if the user decides on an
 * approval.
 */
export const approveMcpSignIn = endpoint({
  method: 'post',
  path: '/mcp/sign-in/approve',
  access: { role: 'developer', in: ['app_key'] },
  action: 'mcp-sign-in.approve',
  summary: 'Say that the user who is asked to sign in is the caller.',
  body: object({ request: { type: 'string', minLength: 1, maxLength: 1_000, writeOnly: true } }),
  errors: ['origin_not_allowed'],
  response: object({
    url: { type: 'string' },
    expires_at: tokenProperties.expires_at,
    client: { type: 'string' },
    redirect_host: { type: ['string', 'null'] },
  }),
  examples: [
    {
      summary: 'The user is signed in to the application',
      body: { request: 'g3Jf0c2VhbGVkLXJlcXVlc3Q' },
      response: {
        url: 'https://onward.example.com/oauth/continue/AmRldg6kXo1v?request=g3Jf0c2VhbGVkLXJlcXVlc3Q',
        expires_at: '2026-11-27T08:25:30.000Z',
        client: 'Claude Code',
        redirect_host: 'localhost:52731',
      },
    },
  ],
})

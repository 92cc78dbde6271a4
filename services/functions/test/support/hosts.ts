import { type ScriptedServer, sendJson } from '@onward/testbed'
import { headingOf, openBrowser } from './connecting.ts'
import { allowAll, authorizeUrl, type Fields, locationOf, newProof, type Registration, register, sendForm } from './sign-in-support.ts'
import type { User } from './support.ts'

/** A host: what it registers, the redirect URI that it then uses, and how it authenticates. */
export type Host = {
  readonly metadata: { readonly redirect_uris: readonly string[] } & Readonly<Record<string, unknown>>
  readonly redirectUri: string
  readonly kept?: readonly string[]
  readonly scope?: string
}

const REFRESHES = { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] }
const CURSOR = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
]
const VSCODE = ['https://insiders.vscode.dev/redirect', 'https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/']

/** The registrations that hosts make, as their documentation and the reports of other servers show them. */
export const HOSTS = {
  'Claude Code, on a port of its choice': {
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost:52731/callback'],
      token_endpoint_auth_method: 'none',
      ...REFRESHES,
    },
    redirectUri: 'http://localhost:61234/callback',
  },
  'claude.ai': {
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: 'functions:read functions:write',
      ...REFRESHES,
    },
    redirectUri: 'https://claude.ai/api/mcp/auth_callback',
    scope: 'functions:read functions:write',
  },
  'claude.ai, at its newer address': {
    metadata: {
      client_name: 'Claude',
      redirect_uris: ['https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      ...REFRESHES,
    },
    redirectUri: 'https://claude.com/api/mcp/auth_callback',
  },
  ChatGPT: {
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/abc123', 'https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'client_secret_basic',
      ...REFRESHES,
    },
    redirectUri: 'https://chatgpt.com/connector/oauth/abc123',
    scope: 'functions:read functions:write offline_access',
  },
  'VS Code, in the editor': {
    metadata: {
      client_name: 'Visual Studio Code',
      redirect_uris: VSCODE,
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      ...REFRESHES,
    },
    redirectUri: 'http://127.0.0.1:33418/',
  },
  'VS Code, in the browser': {
    metadata: { client_name: 'Visual Studio Code', redirect_uris: VSCODE, token_endpoint_auth_method: 'none', ...REFRESHES },
    redirectUri: 'https://vscode.dev/redirect',
  },
  'Cursor, with its private scheme': {
    metadata: { client_name: 'Cursor', redirect_uris: CURSOR, token_endpoint_auth_method: 'none', ...REFRESHES },
    redirectUri: 'cursor://anysphere.cursor-mcp/oauth/callback',
  },
  'Cursor, with a redirect URI that is unknown here': {
    metadata: { client_name: 'Cursor', redirect_uris: [...CURSOR, 'http://cursor.internal/callback'], token_endpoint_auth_method: 'none' },
    redirectUri: 'https://www.cursor.com/agents/mcp/oauth/callback',
    kept: CURSOR,
  },
  Codex: {
    metadata: { client_name: 'Codex', redirect_uris: ['http://127.0.0.1:1455/callback'], token_endpoint_auth_method: 'none', ...REFRESHES },
    redirectUri: 'http://127.0.0.1:40001/callback',
  },
} satisfies Readonly<Record<string, Host>>

/** The metadata documents of hosts, whose addresses are their client ids. ChatGPT names a key to sign with, and is served as a public client. */
export const DOCUMENTS = {
  'Claude Code, with its document': {
    metadata: {
      client_name: 'Claude Code',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      ...REFRESHES,
    },
    redirectUri: 'http://localhost:54545/callback',
  },
  'ChatGPT, with its document': {
    metadata: {
      client_name: 'ChatGPT',
      redirect_uris: ['https://chatgpt.com/connector/oauth/abc123'],
      token_endpoint_auth_method: 'private_key_jwt',
      ...REFRESHES,
    },
    redirectUri: 'https://chatgpt.com/connector/oauth/abc123',
  },
  'VS Code, with its document': {
    metadata: { client_name: 'Visual Studio Code', redirect_uris: VSCODE, token_endpoint_auth_method: 'none', ...REFRESHES },
    redirectUri: 'http://127.0.0.1:33418/',
  },
} satisfies Readonly<Record<string, Host>>

/** Serves the metadata documents. The path of each is its place among them. */
export function serveDocuments(server: ScriptedServer): void {
  server.respond(({ url }, response) => {
    const host = Object.values(DOCUMENTS)[Number(url.slice(1, -'.json'.length))]
    sendJson(response, 200, { client_id: `${server.url}${url}`, ...host?.metadata })
  })
}

/**
 * Adds the MCP URL of `app-1` to a host, as its user and the host do it: registration or document, sign-in with a link, consent, code, refresh.
 * Returns the refreshed access token.
 */
export async function addToHost(url: string, user: Pick<User, 'headers'>, host: Host, documents: ScriptedServer): Promise<string> {
  const { metadata, redirectUri, kept, scope } = host
  const place = Object.values<Host>(DOCUMENTS).indexOf(host)
  const client: Registration =
    place === -1 ? await register(url, metadata) : { client_id: `${documents.url}/${place}.json`, redirect_uris: metadata.redirect_uris }
  expect(client.redirect_uris).toEqual(kept ?? metadata.redirect_uris)
  const link = (await (await fetch(`${url}/mcp/sign-in/link`, { method: 'POST', headers: user.headers })).json()) as { url: string }
  const browser = openBrowser()
  await browser.submit(await browser.open(link.url))

  const { verifier, challenge } = newProof()
  const page = await browser.open(authorizeUrl({ url }, client.client_id, challenge, { redirect_uri: redirectUri, scope }))
  expect(headingOf(page)).toBe(`Give ${metadata.client_name} access to app-1?`)
  // Any form target: the redirect URI can have any scheme, and can redirect on.
  expect(page.headers['content-security-policy']).not.toContain('form-action')
  const location = locationOf(await browser.submit(page, allowAll(page)))
  expect(location.href.startsWith(`${redirectUri}?`)).toBe(true)
  expect(location.searchParams.get('iss')).toBe(url)

  const isBasic = metadata.token_endpoint_auth_method === 'client_secret_basic'
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
  const headers: Fields = isBasic ? { authorization: `Basic ${basic}` } : {}
  const proof: Fields = isBasic ? {} : { client_id: client.client_id, client_secret: client.client_secret }
  const code = { code: location.searchParams.get('code') ?? '', code_verifier: verifier, redirect_uri: redirectUri }
  const exchange = async (fields: Fields) => await sendForm(`${url}/oauth/token`, { ...fields, ...proof }, headers)
  const { status, body } = await exchange({ grant_type: 'authorization_code', ...code, resource: `${url}/mcp/app-1` })
  expect([status, body.token_type, typeof body.refresh_token]).toEqual([200, 'Bearer', 'string'])
  const refreshed = await exchange({ grant_type: 'refresh_token', refresh_token: body.refresh_token })
  expect(refreshed.status).toBe(200)
  return refreshed.body.access_token
}

import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import * as oauth from 'oauth4webapi'
import { headingOf } from '../support/connecting.ts'
import {
  allowAll,
  authorizeUrl,
  CALLBACK,
  type Fields,
  listTools,
  locationOf,
  newProof,
  obtainCode,
  openConsent,
  refresh,
  register,
  sendForm,
  signIn,
} from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

/** A host: what it registers, the redirect URI that it then uses, and how it authenticates. */
type Host = {
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
const HOSTS: Readonly<Record<string, Host>> = {
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
}

describe('a registration as hosts make it', () => {
  it.each(Object.entries(HOSTS))('lets the user of %s sign in', async (_name, { metadata, redirectUri, kept, scope }) => {
    const other = await onward.startAnother()
    const asking = { registration: metadata, authorizing: { redirect_uri: redirectUri, scope } }
    const { client, verifier, browser, page } = await openConsent(onward, undefined, asking)
    expect(client.redirect_uris).toEqual(kept ?? metadata.redirect_uris)
    expect(client.client_secret === undefined).toBe(metadata.token_endpoint_auth_method === 'none')
    expect(headingOf(page)).toBe(`Give ${metadata.client_name} access to app-1?`)
    // Any form target: the redirect URI can have any scheme, and can redirect on.
    expect(page.headers['content-security-policy']).not.toContain('form-action')
    const location = locationOf(await browser.submit(page, allowAll(page)))
    expect(location.href.startsWith(`${redirectUri}?`)).toBe(true)
    expect(location.searchParams.get('iss')).toBe(onward.url)

    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
    const isBasic = metadata.token_endpoint_auth_method === 'client_secret_basic'
    const headers: Fields = isBasic ? { authorization: `Basic ${basic}` } : {}
    const proof: Fields = isBasic ? {} : { client_id: client.client_id, client_secret: client.client_secret }
    const fields = { grant_type: 'authorization_code', code: location.searchParams.get('code') ?? '', code_verifier: verifier }
    // The code is exchanged at another process than the one that the browser used. Its address is not the issuer of this development machine.
    const exchanged = { ...fields, ...proof, redirect_uri: redirectUri }
    const { status, body } = await sendForm(`${other.url}/oauth/token`, exchanged, headers)
    expect([status, body.token_type, typeof body.refresh_token]).toEqual([200, 'Bearer', 'string'])
    for (const { url } of [onward, other]) expect((await listTools(`${url}/mcp/app-1`, body.access_token)).status).toBe(200)
    const refreshing = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...proof }
    expect((await sendForm(`${onward.url}/oauth/token`, refreshing, headers)).status).toBe(200)
    await other.close()
  })

  it('can be made twice, as claude.ai does, and each works', async () => {
    const [first, second] = [await register(onward.url), await register(onward.url)]
    expect(first.client_id).not.toBe(second.client_id)
    const browser = await signIn(onward.newUser())
    for (const { client_id } of [first, second]) {
      expect((await browser.open(authorizeUrl(onward, client_id, newProof().challenge))).status).toBe(200)
    }
  })

  it.each([
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ redirect_uris: 'https://host.example/' }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://host.example/${n}`) }, 'invalid_redirect_uri'],
  ])('is refused with a reason: %j', async (metadata, error) => {
    await expect(register(onward.url, metadata)).rejects.toThrow(error)
  })

  it('is refused when an address registers too often, and says when to retry', async () => {
    const other = await onward.startAnother({ trustedProxies: ['127.0.0.1'] })
    const send = async (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
      const body = JSON.stringify({ redirect_uris: ['https://host.example/'] })
      return await fetch(`${other.url}/oauth/register`, { method: 'POST', headers, body })
    }
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 130 }, () => send('192.0.2.1')))
      const refused = answers.find(({ status }) => status === 429)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused?.json()).toEqual({ error: 'temporarily_unavailable', error_description: expect.stringContaining('120 clients') })
      expect((await send('192.0.2.2')).status).toBe(201)
    }, 60_000)
  })

  it('without refresh tokens gets none, unless it asks for offline access', async () => {
    const registration = { grant_types: ['authorization_code'] }
    const tokens = async (scope?: string) => {
      const { fields } = await obtainCode(onward, undefined, { registration, authorizing: { scope } })
      return (await sendForm(`${onward.url}/oauth/token`, fields)).body
    }
    expect((await tokens()).refresh_token).toBeUndefined()
    expect((await tokens('functions:read functions:write offline_access')).refresh_token).toMatch(/^mcr_/)
  })
})

describe('a metadata document of a host', () => {
  let host: ScriptedServer
  beforeAll(async () => {
    host = await openScriptedServer()
  })
  afterAll(async () => await host.close())

  it('lets a command-line program sign in on any port', async () => {
    const client_id = `${host.url}/oauth/claude-code-client-metadata`
    const redirect_uris = ['http://localhost/callback', 'http://127.0.0.1/callback']
    const document = { client_id, client_name: 'Claude Code', redirect_uris, token_endpoint_auth_method: 'none', ...REFRESHES }
    host.respond((_received, response) => sendJson(response, 200, document))
    const browser = await signIn(onward.newUser())
    const redirect_uri = 'http://localhost:54545/callback'
    const page = await browser.open(authorizeUrl(onward, client_id, newProof().challenge, { redirect_uri }))
    expect(locationOf(await browser.submit(page, allowAll(page))).port).toBe('54545')
  })

  it('that names a key to sign with is served as a public client, as ChatGPT accepts', async () => {
    const client_id = `${host.url}/oauth/client.json`
    const redirect_uris = ['https://chatgpt.com/connector/oauth/abc123']
    const document = { client_id, client_name: 'ChatGPT', redirect_uris, token_endpoint_auth_method: 'private_key_jwt', ...REFRESHES }
    host.respond((_received, response) => sendJson(response, 200, document))
    const browser = await signIn(onward.newUser())
    const page = await browser.open(authorizeUrl(onward, client_id, newProof().challenge, { redirect_uri: redirect_uris[0] }))
    expect(headingOf(page)).toBe('Give ChatGPT access to app-1?')
  })
})

describe('a strict OAuth library', () => {
  const options = { [oauth.allowInsecureRequests]: true }

  it('discovers the servers, registers, gets and refreshes tokens, and revokes them', async () => {
    const resource = new URL(onward.mcpUrl)
    const metadata = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, options))
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const wanted = {
      client_name: 'Strict',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
    }
    const registered = await oauth.dynamicClientRegistrationRequest(server, wanted, options)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    const auth = oauth.ClientSecretBasic(client.client_secret as string)

    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const state = oauth.generateRandomState()
    const browser = await signIn(onward.newUser())
    const page = await browser.open(authorizeUrl(onward, client.client_id, challenge, { state }))
    const location = locationOf(await browser.submit(page, allowAll(page)))
    // A mix-up: the response of another server is refused by its issuer.
    const mixedUp = new URLSearchParams({ ...Object.fromEntries(location.searchParams), iss: 'https://evil.example' })
    expect(() => oauth.validateAuthResponse(server, client, mixedUp, state)).toThrow()
    const callback = oauth.validateAuthResponse(server, client, location.searchParams, state)
    const more = { ...options, additionalParameters: { resource: onward.mcpUrl } }
    const sent = await oauth.authorizationCodeGrantRequest(server, client, auth, callback, CALLBACK, verifier, more)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, sent)
    const call = { method: 'tools/list', jsonrpc: '2.0', id: 1, params: {} }
    const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
    const used = await oauth.protectedResourceRequest(tokens.access_token, 'POST', resource, headers, JSON.stringify(call), options)
    expect(used.status).toBe(200)

    const again = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token as string, more)
    const renewed = await oauth.processRefreshTokenResponse(server, client, again)
    const revoked = await oauth.revocationRequest(server, client, auth, renewed.refresh_token as string, options)
    await oauth.processRevocationResponse(revoked)
    expect((await listTools(onward.mcpUrl, renewed.access_token)).status).toBe(401)
    expect((await refresh(onward.url, client.client_id, 'x')).body.error).toBe('invalid_client')
  })
})

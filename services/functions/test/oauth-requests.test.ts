import type { AuthorizationCodeScheme } from '@onward/catalog'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { redeemCode, startAuthorization } from '../src/oauth/authorization.ts'
import { requestToken } from '../src/oauth/request-token.ts'
import { failure, inSeconds, tokenSender } from './oauth-support.ts'

let server: ScriptedServer
const sender = tokenSender()
const client = { clientId: 'client-id-with-dash', clientSecret: 'client secret+/=' }
const account = { access_token: 'old-token-0123456789', refresh_token: 'old-refresh-0123456789', expires_at: inSeconds(-5), site: 'acme' }

beforeAll(async () => {
  server = await openScriptedServer()
})
afterAll(() => server.close())

function scheme(more: Partial<AuthorizationCodeScheme> = {}): AuthorizationCodeScheme {
  return { type: 'oauth2', authorization_url: `${server.url}/auth`, token_url: `${server.url}/token`, ...more }
}

const refresh = (more: Partial<AuthorizationCodeScheme> = {}) => requestToken(sender, scheme(more), client, account)

describe('a token request', () => {
  beforeEach(() => {
    server.answer((_received, response) => sendJson(response, 200, { access_token: 'new' }))
    server.received.length = 0
  })

  it('carries the client in the body, or in the header with only what must be encoded', async () => {
    await refresh({ token_parameters: { audience: 'api', tenant: '{account.site}' } })
    await refresh({ client_authentication: 'client_secret_basic' })
    const [post, basic] = server.received
    expect(Object.fromEntries(new URLSearchParams(post?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: account.refresh_token,
      client_id: client.clientId,
      client_secret: client.clientSecret,
      audience: 'api',
      tenant: 'acme',
    })
    expect(post?.headers).toMatchObject({ accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' })
    expect(Buffer.from(basic?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()).toBe(
      'client-id-with-dash:client+secret%2B%2F%3D',
    )
    expect(basic?.body).not.toContain('client')
  })

  it('of a scheme without PKCE has no verifier, and takes settings from the callback', async () => {
    const plain = scheme({
      pkce: false,
      scopes: ['a', 'b'],
      scope_separator: ',',
      authorization_parameters: { access_type: 'offline', login_hint: '{account.site}' },
      settings: { realm_id: { callback: 'realmId' } },
    })
    const redirectUri = 'https://onward.example/connect/callback'
    const { url, verifier } = await startAuthorization({ scheme: plain, client, redirectUri, state: 's1', settings: { site: 'acme' } })
    expect(verifier).toBe('')
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      access_type: 'offline',
      login_hint: 'acme',
      scope: 'a,b',
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state: 's1',
    })
    const callback = new URLSearchParams({ code: 'c1', state: 's1', realmId: '77', iss: 'https://unknown.example' })
    const settings = { site: 'acme' }
    const redeemed = await redeemCode(sender, { scheme: plain, client, redirectUri, verifier, state: 's1', callback, settings })
    expect(redeemed).toEqual({ access_token: 'new', realm_id: '77', site: 'acme' })
    expect(Object.fromEntries(new URLSearchParams(server.received[0]?.body))).not.toHaveProperty('code_verifier')
  })

  it('whose address needs a setting that is not there is not made', async () => {
    const err = await failure(requestToken(sender, { ...scheme(), token_url: 'https://{account.shop}.example.com/token' }, client, account))
    expect(err).toMatchObject({ kind: 'invalid' })
    expect(server.received).toEqual([])
  })

  it('in public reach is made by https to public addresses only', async () => {
    const err = await failure(requestToken({ ...sender, reach: 'public' }, scheme(), client, account))
    expect(err.kind).toBe('invalid')
    expect(server.received).toEqual([])
  })
})

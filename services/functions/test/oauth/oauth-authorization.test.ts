import type { AuthorizationCodeScheme } from '@onward/catalog'
import { redeemCode, startAuthorization } from '../../src/oauth/authorization.ts'
import { requestToken } from '../../src/oauth/request-token.ts'
import { type AuthorizationServer, clientOf, REDIRECT_URI, startAuthorizationServer } from '../support/authorization-server.ts'
import { failure, tokenSender } from '../support/oauth-support.ts'

let server: AuthorizationServer
const sender = tokenSender()
const redirectUri = REDIRECT_URI
const state = 'state-0123456789'

beforeAll(async () => {
  server = await startAuthorizationServer()
})
afterAll(() => server.close())

function schemeOf(method: 'post' | 'basic'): AuthorizationCodeScheme {
  return {
    type: 'oauth2',
    authorization_url: `${server.url}/auth`,
    token_url: `${server.url}/token`,
    revocation_url: `${server.url}/token/revocation`,
    issuer: server.url,
    scopes: ['openid', 'offline_access'],
    authorization_parameters: { prompt: 'consent' },
    client_authentication: `client_secret_${method}`,
  }
}

/** Signs in at the server and returns what its callback carries. */
async function authorize(scheme: AuthorizationCodeScheme, method: 'post' | 'basic' = 'post') {
  const client = clientOf(method)
  const { url, verifier } = await startAuthorization({ scheme, client, redirectUri, state, settings: {} })
  return { scheme, client, redirectUri, state, verifier, callback: await server.signIn(url), settings: {} }
}

async function works(accessToken: string | undefined): Promise<boolean> {
  return (await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200
}

describe('Onward with a real authorization server', () => {
  it.each(['post', 'basic'] as const)('redeems a code, renews and rotates the token (client_secret_%s)', async (method) => {
    const scheme = schemeOf(method)
    const authorized = await authorize(scheme, method)
    expect(authorized.callback.get('iss')).toBe(server.url)
    const account = await redeemCode(sender, authorized)
    expect(new Set(Object.keys(account))).toEqual(new Set(['access_token', 'expires_at', 'refresh_token']))
    expect(Math.abs(Date.parse(account.expires_at ?? '') - Date.now() - 3_600_000)).toBeLessThan(10_000)
    expect(await works(account.access_token)).toBe(true)

    const renewed = await requestToken(sender, scheme, authorized.client, account)
    expect(renewed.access_token).not.toBe(account.access_token)
    expect(renewed.refresh_token).not.toBe(account.refresh_token)
    expect(await works(renewed.access_token)).toBe(true)
  })

  it('reports invalid_grant when a refresh token was used before', async () => {
    const scheme = schemeOf('post')
    const authorized = await authorize(scheme)
    const account = await redeemCode(sender, authorized)
    await requestToken(sender, scheme, authorized.client, account)
    const err = await failure(requestToken(sender, scheme, authorized.client, account))
    expect([err.kind, err.code]).toEqual(['invalid', 'invalid_grant'])
    expect(err.message).not.toContain(account.refresh_token)
  })

  it('redeems a code only once and only with its own verifier', async () => {
    const authorized = await authorize(schemeOf('post'))
    expect((await failure(redeemCode(sender, { ...authorized, verifier: 'v'.repeat(43) }))).code).toBe('invalid_grant')
    expect((await failure(redeemCode(sender, await redeemed()))).code).toBe('invalid_grant')

    async function redeemed() {
      const again = await authorize(schemeOf('post'))
      await redeemCode(sender, again)
      return again
    }
  })

  it('reports a wrong client secret without repeating it', async () => {
    const authorized = await authorize(schemeOf('post'))
    const err = await failure(
      redeemCode(sender, { ...authorized, client: { ...authorized.client, clientSecret: 'wrong-secret-0123456789' } }),
    )
    expect([err.kind, err.code]).toEqual(['invalid', 'invalid_client'])
    expect(err.message).not.toContain('wrong-secret')
  })

  it.each([
    ['another state', { state: 'another-state' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no code', { code: '' }],
  ])('refuses a callback with %s before it sends a request', async (_name, changed) => {
    const authorized = await authorize(schemeOf('post'))
    const before = (await server.requests()).tokenRequests
    for (const [name, value] of Object.entries(changed)) authorized.callback.set(name, value)
    expect((await failure(redeemCode(sender, authorized))).kind).toBe('invalid')
    expect((await server.requests()).tokenRequests).toBe(before)
  })

  it('reports separately that the user denied access', async () => {
    const authorized = await authorize(schemeOf('post'))
    const { kind, code } = await failure(
      redeemCode(sender, {
        ...authorized,
        callback: new URLSearchParams({ state, error: 'access_denied', error_description: 'the user denied access' }),
      }),
    )
    expect([kind, code]).toEqual(['denied', 'access_denied'])
  })
})

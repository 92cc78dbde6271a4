import type { AuthorizationCodeScheme } from '@onward/catalog'
import { redeemCode, startAuthorization } from '../src/oauth/authorization.ts'
import { requestToken } from '../src/oauth/request-token.ts'
import { revokeToken } from '../src/oauth/revoke-token.ts'
import { type AuthorizationServer, clientOf, REDIRECT_URI, startAuthorizationServer } from './authorization-server.ts'
import { failure, tokenSender } from './oauth-support.ts'

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

/** Goes to the server and comes back. */
async function authorize(scheme: AuthorizationCodeScheme, method: 'post' | 'basic' = 'post') {
  const client = clientOf(method)
  const { url, verifier } = await startAuthorization({ scheme, client, redirectUri, state, settings: {} })
  return { scheme, client, redirectUri, state, verifier, callback: await server.signIn(url), settings: {} }
}

async function works(accessToken: string | undefined): Promise<boolean> {
  return (await fetch(`${server.url}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } })).status === 200
}

describe('against a real authorization server', () => {
  it.each(['post', 'basic'] as const)(
    'a code is redeemed, the token renewed and rotated, and the grant revoked (client_secret_%s)',
    async (method) => {
      const scheme = schemeOf(method)
      const asked = await authorize(scheme, method)
      expect(asked.callback.get('iss')).toBe(server.url)
      const account = await redeemCode(sender, asked)
      expect(new Set(Object.keys(account))).toEqual(new Set(['access_token', 'expires_at', 'refresh_token']))
      expect(Math.abs(Date.parse(account.expires_at ?? '') - Date.now() - 3_600_000)).toBeLessThan(10_000)
      expect(await works(account.access_token)).toBe(true)

      const renewed = await requestToken(sender, scheme, asked.client, account)
      expect(renewed.access_token).not.toBe(account.access_token)
      expect(renewed.refresh_token).not.toBe(account.refresh_token)
      expect(await works(renewed.access_token)).toBe(true)

      await revokeToken(sender, scheme, asked.client, renewed)
      expect(await works(renewed.access_token)).toBe(false)
      const err = await failure(requestToken(sender, scheme, asked.client, renewed))
      expect([err.kind, err.code]).toEqual(['invalid', 'invalid_grant'])
      expect(err.message).not.toContain(renewed.refresh_token)
      await revokeToken(sender, scheme, asked.client, renewed)
    },
  )

  it('a refresh token that was used before is refused', async () => {
    const scheme = schemeOf('post')
    const asked = await authorize(scheme)
    const account = await redeemCode(sender, asked)
    await requestToken(sender, scheme, asked.client, account)
    expect((await failure(requestToken(sender, scheme, asked.client, account))).code).toBe('invalid_grant')
  })

  it('a code is redeemed once, and only with the verifier it was asked with', async () => {
    const asked = await authorize(schemeOf('post'))
    expect((await failure(redeemCode(sender, { ...asked, verifier: 'v'.repeat(43) }))).code).toBe('invalid_grant')
    expect((await failure(redeemCode(sender, await spent()))).code).toBe('invalid_grant')

    async function spent() {
      const again = await authorize(schemeOf('post'))
      await redeemCode(sender, again)
      return again
    }
  })

  it('a wrong client secret is told, and is not repeated', async () => {
    const asked = await authorize(schemeOf('post'))
    const err = await failure(redeemCode(sender, { ...asked, client: { ...asked.client, clientSecret: 'wrong-secret-0123456789' } }))
    expect([err.kind, err.code]).toEqual(['invalid', 'invalid_client'])
    expect(err.message).not.toContain('wrong-secret')
  })

  it.each([
    ['another state', { state: 'another-state' }],
    ['another issuer', { iss: 'https://evil.example' }],
    ['no code', { code: '' }],
  ])('a callback with %s is refused before anything is sent', async (_name, changed) => {
    const asked = await authorize(schemeOf('post'))
    const before = (await server.asked()).tokenRequests
    for (const [name, value] of Object.entries(changed)) asked.callback.set(name, value)
    expect((await failure(redeemCode(sender, asked))).kind).toBe('invalid')
    expect((await server.asked()).tokenRequests).toBe(before)
  })

  it('a user who says no is told apart', async () => {
    const asked = await authorize(schemeOf('post'))
    const { kind, code } = await failure(
      redeemCode(sender, {
        ...asked,
        callback: new URLSearchParams({ state, error: 'access_denied', error_description: 'the user said no' }),
      }),
    )
    expect([kind, code]).toEqual(['denied', 'access_denied'])
  })
})

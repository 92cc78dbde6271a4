import type { AuthorizationCodeScheme } from '@onward/catalog'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { redeemCode, startAuthorization } from '../../src/oauth/authorization.ts'
import { requestToken } from '../../src/oauth/request-token.ts'
import { failure, inSeconds, tokenSender } from '../support/oauth-support.ts'

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
    server.respond((_received, response) => sendJson(response, 200, { access_token: 'new' }))
    server.received.length = 0
  })

  it('carries the client in the body, or in the header with minimal encoding', async () => {
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

  it('goes to the refresh URL, where the app has one', async () => {
    await refresh({ refresh_url: `${server.url}/{account.site}/renew` })
    await refresh()
    expect(server.received.map(({ url }) => url)).toEqual(['/acme/renew', '/token'])
  })

  it('carries the secret as a user name without a password, and no client id', async () => {
    await refresh({ client_authentication: 'secret_as_username' })
    const [{ headers, body } = { headers: { authorization: '' }, body: '' }] = server.received
    const encoded = headers.authorization?.replace('Basic ', '') ?? ''
    expect(Buffer.from(encoded, 'base64').toString()).toBe('client+secret%2B%2F%3D:')
    expect(body).not.toContain('client')
  })

  it('has no verifier without PKCE, and reads settings from the callback', async () => {
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

  it('is not sent when its URL needs a setting that is missing', async () => {
    const err = await failure(requestToken(sender, { ...scheme(), token_url: 'https://{account.shop}.example.com/token' }, client, account))
    expect(err).toMatchObject({ kind: 'invalid' })
    expect(server.received).toEqual([])
  })

  it('is not sent to a private address when the reach is public', async () => {
    const err = await failure(requestToken({ ...sender, reach: 'public' }, scheme(), client, account))
    expect(err.kind).toBe('invalid')
    expect(server.received).toEqual([])
  })
})

function answer(status: number, body: object | string | Buffer, type = 'application/json'): void {
  const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  server.respond((_received, response) => void response.writeHead(status, { 'content-type': type }).end(text))
}

function lifeOf({ expires_at }: { expires_at?: string }): number {
  return Math.round((Date.parse(expires_at ?? '') - Date.now()) / 1_000)
}

describe('a token response', () => {
  it('replaces the old tokens and leaves the rest of the account unchanged', async () => {
    answer(200, { access_token: 'new', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rotated' })
    expect(await refresh()).toEqual({ access_token: 'new', refresh_token: 'rotated', expires_at: expect.any(String), site: 'acme' })
  })

  it('keeps the old refresh token when it has none, and never expires without expires_in', async () => {
    answer(200, { access_token: 'new', token_type: 'bearer' })
    expect(await refresh()).toEqual({ access_token: 'new', refresh_token: account.refresh_token, site: 'acme' })
  })

  it('keeps the digits of a number that becomes a setting of the account', async () => {
    answer(200, '{"access_token":"new","expires_in":3600.0,"user":{"id":1909699624467843944}}')
    const redeemed = await refresh({ settings: { site: { token: '/user/id' } } })
    expect(redeemed).toMatchObject({ site: '1909699624467843944', expires_at: expect.any(String) })
  })

  it.each<[string, object | string, string, number | undefined]>([
    [
      'of another token type, as Slack',
      { ok: true, access_token: 'new', token_type: 'bot', expires_in: 43_200 },
      'application/json',
      43_200,
    ],
    ['without a token type', { access_token: 'new', expires_in: 60 }, 'application/json', 60],
    [
      'as a form, like GitHub',
      'access_token=new&scope=repo%2Cgist&token_type=bearer&expires_in=28800',
      'application/x-www-form-urlencoded',
      28_800,
    ],
    ['as a form without its type', 'access_token=new&token_type=bearer', 'text/plain', undefined],
    ['as JSON without its type', '{"access_token":"new","expires_in":"3599"}', 'text/html', 3_599],
    ['with an expires_in that is not a number', { access_token: 'new', expires_in: 'never' }, 'application/json', undefined],
    ['with expires_in 0, which means that it never expires', { access_token: 'new', expires_in: 0 }, 'application/json', undefined],
    ['with an expires_in beyond the range of dates', { access_token: 'new', expires_in: 1e15 }, 'application/json', 3_155_760_000],
    ['with nulls', { access_token: 'new', refresh_token: null, expires_in: null, scope: null }, 'application/json', undefined],
    ['with scopes as a list', { access_token: 'new', scope: ['a', 'b'] }, 'application/json', undefined],
    ['with an ID token that was not requested', { access_token: 'new', id_token: 'x.y.z' }, 'application/json', undefined],
  ])('is accepted %s', async (_name, body, type, life) => {
    answer(200, body, type)
    const renewed = await refresh()
    expect(renewed.access_token).toBe('new')
    expect(renewed.refresh_token).toBe(account.refresh_token)
    if (life === undefined) expect(renewed).not.toHaveProperty('expires_at')
    else expect(Math.abs(lifeOf(renewed) - life)).toBeLessThan(3)
  })

  it('is accepted with status 201 and with a number as the token', async () => {
    answer(201, { access_token: 123_456 })
    expect((await refresh()).access_token).toBe('123456')
  })

  it('fills the settings that the scheme reads from it', async () => {
    answer(200, { access_token: 'new', instance_url: 'https://eu7.crm.example', data: { region: 7 } })
    const settings = { instance_url: { token: '/instance_url' }, region: { token: '/data/region' }, absent: { token: '/none' } }
    expect(await refresh({ settings })).toMatchObject({ instance_url: 'https://eu7.crm.example', region: '7', site: 'acme' })
    expect(await refresh({ settings })).not.toHaveProperty('absent')
  })
})

describe('an error response', () => {
  it.each<[string, number, object | string, string, string]>([
    [
      'as the standard defines it',
      400,
      { error: 'invalid_grant', error_description: 'the grant was revoked' },
      'invalid_grant',
      'invalid_grant: the grant was revoked',
    ],
    ['with status 200, like Slack', 200, { ok: false, error: 'invalid_refresh_token' }, 'invalid_grant', 'invalid_refresh_token'],
    [
      'with status 200, like GitHub',
      200,
      { error: 'bad_refresh_token', error_description: 'expired' },
      'invalid_grant',
      'bad_refresh_token: expired',
    ],
    [
      'as a form',
      200,
      'error=bad_refresh_token&error_description=The+token+expired',
      'invalid_grant',
      'bad_refresh_token: The token expired',
    ],
    [
      'like Atlassian',
      403,
      { error: 'unauthorized_client', error_description: 'refresh_token is invalid' },
      'invalid_grant',
      'unauthorized_client: refresh_token is invalid',
    ],
    [
      'as an object',
      400,
      { error: { type: 'OAuthException', message: 'no such client' } },
      'OAuthException',
      'OAuthException: no such client',
    ],
    ['for a wrong client', 401, { error: 'invalid_client' }, 'invalid_client', 'invalid_client'],
  ])('is recognized by its code when it comes %s', async (_name, status, body, code, message) => {
    answer(status, body, typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json')
    expect(await failure(refresh())).toMatchObject({ kind: 'invalid', code, message })
  })

  it.each<[string, number, object | string]>([
    ['500', 500, { error: 'invalid_grant' }],
    ['502 in HTML', 502, '<html>bad gateway</html>'],
    ['429', 429, {}],
    ['temporarily_unavailable', 400, { error: 'temporarily_unavailable' }],
  ])('is temporary when it is %s', async (_name, status, body) => {
    answer(status, body)
    expect((await failure(refresh())).kind).toBe('unreachable')
  })

  it.each<[string, number, object | string, string]>([
    ['an HTML page', 200, '<html>sign in</html>', 'access_token'],
    ['404', 404, 'not found', '404'],
    ['a redirect', 302, '', '302'],
    ['an empty object', 200, {}, 'access_token'],
    ['a list', 200, '[]', 'access_token'],
    ['an access token that is an object', 200, { access_token: {} }, 'access_token'],
  ])('is reported as invalid when it is %s', async (_name, status, body, part) => {
    answer(status, body)
    const err = await failure(refresh())
    expect(err.kind).toBe('invalid')
    expect(err.message).toContain(part)
  })

  it('is read when it is not valid UTF-8, but a token in which bytes would be replaced is refused', async () => {
    answer(400, Buffer.from('{"error":"invalid_grant","error_description":"expir\xe9"}', 'latin1'))
    expect(await failure(refresh())).toMatchObject({ kind: 'invalid', code: 'invalid_grant' })
    const bytes = Buffer.from('{"access_token":"n\xe9w"}', 'latin1')
    answer(200, bytes)
    expect((await failure(refresh())).message).toBe('the response of the OAuth server is not valid in its character set')
    answer(200, bytes, 'application/json; charset=iso-8859-1')
    expect((await refresh()).access_token).toBe('néw')
  })

  it('is shortened to 200 characters on one line, without secrets', async () => {
    const echoed = `${account.refresh_token} ${client.clientSecret}\n${account.access_token} ${'x'.repeat(500)}`
    answer(400, { error: 'invalid_request', error_description: echoed })
    const { message } = await failure(refresh())
    expect(message).toMatch(/^invalid_request: \[redacted\] \[redacted\] \[redacted\] x+$/)
    expect(message.length).toBe(200)
  })

  it('is treated as unreachable when the connection closes or cannot be opened', async () => {
    server.respond((_received, _response, request) => void request.socket.destroy())
    expect(await failure(refresh())).toMatchObject({
      kind: 'unreachable',
      message: 'the connection closed before the OAuth server sent its whole response',
    })
    const nowhere = { ...scheme(), token_url: 'http://127.0.0.1:1/token' }
    expect(await failure(requestToken(sender, nowhere, client, account))).toMatchObject({ kind: 'unreachable' })
  })

  it('is not read beyond 64 KiB', async () => {
    answer(200, { access_token: 'x'.repeat(70_000) })
    expect(await failure(refresh())).toMatchObject({ kind: 'unreachable', message: 'the response of the OAuth server is too large' })
  })
})

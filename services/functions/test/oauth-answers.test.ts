import type { AuthorizationCodeScheme } from '@onward/catalog'
import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
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

function answer(status: number, body: object | string, type = 'application/json'): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  server.answer((_received, response) => void response.writeHead(status, { 'content-type': type }).end(text))
}

const refresh = (more: Partial<AuthorizationCodeScheme> = {}) => requestToken(sender, scheme(more), client, account)

function lifeOf({ expires_at }: { expires_at?: string }): number {
  return Math.round((Date.parse(expires_at ?? '') - Date.now()) / 1_000)
}

describe('a token answer', () => {
  it('takes the place of the old token, and leaves the rest of the account as it was', async () => {
    answer(200, { access_token: 'new', token_type: 'Bearer', expires_in: 3600, refresh_token: 'rotated' })
    expect(await refresh()).toEqual({ access_token: 'new', refresh_token: 'rotated', expires_at: expect.any(String), site: 'acme' })
  })

  it('without a refresh token leaves the old one, and without a life the token does not expire', async () => {
    answer(200, { access_token: 'new', token_type: 'bearer' })
    expect(await refresh()).toEqual({ access_token: 'new', refresh_token: account.refresh_token, site: 'acme' })
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
      'as a form, as GitHub',
      'access_token=new&scope=repo%2Cgist&token_type=bearer&expires_in=28800',
      'application/x-www-form-urlencoded',
      28_800,
    ],
    ['as a form without its type', 'access_token=new&token_type=bearer', 'text/plain', undefined],
    ['as JSON without its type', '{"access_token":"new","expires_in":"3599"}', 'text/html', 3_599],
    ['with a life that is none', { access_token: 'new', expires_in: 'never' }, 'application/json', undefined],
    ['with a life of 0, which means none', { access_token: 'new', expires_in: 0 }, 'application/json', undefined],
    ['with a life longer than dates reach', { access_token: 'new', expires_in: 1e15 }, 'application/json', 3_155_760_000],
    ['with nulls', { access_token: 'new', refresh_token: null, expires_in: null, scope: null }, 'application/json', undefined],
    ['with scopes as a list', { access_token: 'new', scope: ['a', 'b'] }, 'application/json', undefined],
    ['with an ID token that nobody asked for', { access_token: 'new', id_token: 'x.y.z' }, 'application/json', undefined],
  ])('%s is understood', async (_name, body, type, life) => {
    answer(200, body, type)
    const renewed = await refresh()
    expect(renewed.access_token).toBe('new')
    expect(renewed.refresh_token).toBe(account.refresh_token)
    if (life === undefined) expect(renewed).not.toHaveProperty('expires_at')
    else expect(Math.abs(lifeOf(renewed) - life)).toBeLessThan(3)
  })

  it('with a number for a token is taken as text, and 201 as 200', async () => {
    answer(201, { access_token: 123_456 })
    expect((await refresh()).access_token).toBe('123456')
  })

  it('gives the settings that the scheme finds in it', async () => {
    answer(200, { access_token: 'new', instance_url: 'https://eu7.crm.example', data: { region: 7 } })
    const settings = { instance_url: { token: '/instance_url' }, region: { token: '/data/region' }, absent: { token: '/none' } }
    expect(await refresh({ settings })).toMatchObject({ instance_url: 'https://eu7.crm.example', region: '7', site: 'acme' })
    expect(await refresh({ settings })).not.toHaveProperty('absent')
  })
})

describe('an error answer', () => {
  it.each<[string, number, object | string, string, string]>([
    ['of the standard', 400, { error: 'invalid_grant', error_description: 'it is gone' }, 'invalid_grant', 'invalid_grant: it is gone'],
    ['under 200, as Slack', 200, { ok: false, error: 'invalid_refresh_token' }, 'invalid_grant', 'invalid_refresh_token'],
    [
      'under 200, as GitHub',
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
      'as Atlassian',
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
    ['of a wrong client', 401, { error: 'invalid_client' }, 'invalid_client', 'invalid_client'],
  ])('%s is told by its code', async (_name, status, body, code, message) => {
    answer(status, body, typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json')
    expect(await failure(refresh())).toMatchObject({ kind: 'invalid', code, message })
  })

  it.each<[string, number, object | string]>([
    ['500', 500, { error: 'invalid_grant' }],
    ['502 in HTML', 502, '<html>bad gateway</html>'],
    ['429', 429, {}],
    ['temporarily_unavailable', 400, { error: 'temporarily_unavailable' }],
  ])('%s is for now only', async (_name, status, body) => {
    answer(status, body)
    expect((await failure(refresh())).kind).toBe('unreachable')
  })

  it.each<[string, number, object | string, string]>([
    ['a page', 200, '<html>sign in</html>', 'access_token'],
    ['404', 404, 'not found', '404'],
    ['a redirect', 302, '', '302'],
    ['an empty object', 200, {}, 'access_token'],
    ['a list', 200, '[]', 'access_token'],
    ['an access token that is an object', 200, { access_token: {} }, 'access_token'],
  ])('that is %s is told as none', async (_name, status, body, part) => {
    answer(status, body)
    const err = await failure(refresh())
    expect(err.kind).toBe('invalid')
    expect(err.message).toContain(part)
  })

  it('is cut short, kept on one line, and holds no secret', async () => {
    const echoed = `${account.refresh_token} ${client.clientSecret}\n${account.access_token} ${'x'.repeat(500)}`
    answer(400, { error: 'invalid_request', error_description: echoed })
    const { message } = await failure(refresh())
    expect(message).toMatch(/^invalid_request: \[redacted\] \[redacted\] \[redacted\] x+$/)
    expect(message.length).toBe(200)
  })

  it('that breaks off or never comes is unreachable', async () => {
    server.answer((_received, _response, request) => void request.socket.destroy())
    expect(await failure(refresh())).toMatchObject({
      kind: 'unreachable',
      message: 'the connection closed before the OAuth server sent its whole answer',
    })
    const nowhere = { ...scheme(), token_url: 'http://127.0.0.1:1/token' }
    expect(await failure(requestToken(sender, nowhere, client, account))).toMatchObject({ kind: 'unreachable' })
  })

  it('larger than 64 KiB is not read', async () => {
    answer(200, { access_token: 'x'.repeat(70_000) })
    expect(await failure(refresh())).toMatchObject({ kind: 'unreachable', message: 'the answer of the OAuth server is too large' })
  })
})

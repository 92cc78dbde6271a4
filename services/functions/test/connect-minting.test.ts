import { generateKeyPairSync } from 'node:crypto'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser } from './connecting.ts'
import { appFile, type OAuthFunctions, openWithApps } from './oauth-support.ts'

let server: ScriptedServer
let onward: OAuthFunctions

beforeAll(async () => {
  server = await openScriptedServer()
  const { url } = server
  const identity = { function: 'get-me', name: '/name', id: '/id' }
  const signingIn = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }
  const many = [{ type: 'oauth2_jwt_bearer', token_url: `${url}/token` }, { type: 'basic' }, { type: 'bearer' }, signingIn]
  onward = await openWithApps([
    appFile('robot', url, { type: 'oauth2_client_credentials', token_url: `${url}/token` }, { identity }),
    appFile('droid', url, { type: 'oauth2_jwt_bearer', token_url: `${url}/token` }, { identity }),
    appFile('cyborg', url, many, { identity }),
  ])
})
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
  server.answer(({ url, body, headers }, response) => {
    const good = body.includes('client_secret=right-secret') || body.includes('assertion=')
    if (url === '/token' && good)
      return sendJson(response, 200, { access_token: 'minted-0123456789', token_type: 'bearer', expires_in: 3_600 })
    if (url === '/token') return sendJson(response, 401, { error: 'invalid_client', error_description: '<b>who?</b> wrong-secret' })
    if (headers.authorization !== 'Bearer minted-0123456789') return sendJson(response, 401, {})
    sendJson(response, 200, { id: 'r2', name: 'R2' })
  })
})

async function submit(userId: string, app: string, fields: Record<string, string>) {
  const browser = openBrowser()
  return await browser.submit(await browser.open(await loginUrlOf(onward.user(userId), app)), fields)
}

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

describe('connecting a machine account', () => {
  it('gets the first token for client credentials, tests it and then uses it', async () => {
    const end = await submit('c', 'robot', { client_id: 'me', client_secret: 'right-secret' })
    expect(headingOf(end)).toBe('Robot is connected')
    expect(end.text).toContain('<strong>R2</strong>')
    await onward
      .user('c')
      .call('robot-get-me', {}, `?connected_account_id=${connectedId(end)}`)
      .expect(200)
    expect(server.received.map(({ url }) => url)).toEqual(['/token', '/me', '/me'])
  })

  it('accepts a private key with the line breaks that browsers send', async () => {
    const end = await submit('k', 'droid', { issuer: 'me@example.com', private_key: `\r\n${pem.replaceAll('\n', '\r\n')}`, subject: '' })
    expect(headingOf(end)).toBe('Droid is connected')
  })

  it('shows the error of the token endpoint as escaped text, without the secret', async () => {
    const again = await submit('w', 'robot', { client_id: 'me', client_secret: 'wrong-secret' })
    expect(again.status).toBe(400)
    expect(again.text).toContain('Robot did not accept these credentials: invalid_client: &lt;b&gt;who?&lt;/b&gt; [redacted]')
    const noKey = await submit('w', 'droid', { issuer: 'me@example.com', private_key: 'no key' })
    expect([noKey.status, noKey.text.includes('no key')]).toEqual([400, false])
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === 'w')).toEqual([])
  })

  it('answers 502 when the token endpoint is down', async () => {
    server.answer((_received, response) => void response.writeHead(503).end())
    expect((await submit('d', 'robot', { client_id: 'me', client_secret: 'right-secret' })).status).toBe(502)
  })

  it('offers signing in first and a service account last', async () => {
    await onward.setClient('cyborg', 'client', 'secret-0123456789').expect(200)
    const { text } = await openBrowser().open(await loginUrlOf(onward.user('chooser'), 'cyborg'))
    expect([...text.matchAll(/<a href="[^"]+">([^<]+)</g)].map(([, name]) => name)).toEqual([
      ...['Sign in to Cyborg', 'With a name and a password', 'With an access token', 'With a service account'],
    ])
  })
})

import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { accountsOf, connectedId, headingOf, loginUrlOf, openBrowser } from '../support/connecting.ts'
import { appFile, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

let server: ScriptedServer
let onward: OAuthFunctions

beforeAll(async () => {
  server = await openScriptedServer()
  const { url } = server
  const identity = { function: 'get-me', name: '/name', id: '/id' }
  const signingIn = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }
  const machine = [
    { type: 'oauth2_jwt_bearer', token_url: `${url}/token` },
    { type: 'oauth2_client_credentials', token_url: `${url}/token` },
  ]
  onward = await openWithApps([
    appFile('robot', url, { type: 'oauth2_client_credentials', token_url: `${url}/token` }, { identity }),
    appFile('droid', url, { type: 'oauth2_jwt_bearer', token_url: `${url}/token` }, { identity }),
    appFile('android', url, [...machine, signingIn], { identity }),
    appFile('cyborg', url, [...machine, { type: 'basic' }, { type: 'bearer' }, signingIn], { identity }),
  ])
})
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
  server.respond(({ url, body, headers }, response) => {
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

  it('names what the operators must do for an app that only they can connect', async () => {
    const page = await openBrowser().open(await loginUrlOf(onward.user('k'), 'droid'))
    expect([page.status, headingOf(page)]).toEqual([409, 'Droid cannot be connected yet'])
    expect(page.text).toContain('Only the operators of app-1 can connect Droid, with a service account (onward account connect).')
    const signIn = await openBrowser().open(await loginUrlOf(onward.user('k'), 'android'))
    expect([signIn.status, headingOf(signIn)]).toEqual([409, 'Android cannot be connected yet'])
    expect(signIn.text).toContain(
      'The operators of app-1 must first register its OAuth client for Android in Onward (onward oauth-client set).',
    )
  })

  it('shows the error of the token endpoint as escaped text, without the secret', async () => {
    const again = await submit('w', 'robot', { client_id: 'me', client_secret: 'wrong-secret' })
    expect(again.status).toBe(400)
    expect(again.text).toContain('Robot did not accept these credentials: invalid_client: &lt;b&gt;who?&lt;/b&gt; [redacted]')
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === 'w')).toEqual([])
  })

  it('answers 502 when the token endpoint is down', async () => {
    server.respond((_received, response) => void response.writeHead(503).end())
    expect((await submit('d', 'robot', { client_id: 'me', client_secret: 'right-secret' })).status).toBe(502)
  })

  it('offers signing in first, and neither a service account nor client credentials beside other schemes', async () => {
    await onward.setClient('cyborg', 'client', 'secret-0123456789').expect(200)
    const settings = { workspace_id: 'workspace-1', name: 'app-1', connect_pages: { tokens: true } }
    await onward.admin('put', '/admin/applications/app-1', settings).expect(200)
    const url = await loginUrlOf(onward.user('chooser'), 'cyborg')
    const { text } = await openBrowser().open(url)
    expect([...text.matchAll(/<(?:a class="other"|button)[^>]+>([^<]+)</g)].map(([, name]) => name)).toEqual([
      ...['Continue with Cyborg', 'Use a name and a password instead', 'Use an access token instead'],
    ])
    for (const type of ['oauth2_jwt_bearer', 'oauth2_client_credentials']) {
      expect((await openBrowser().open(`${url}?scheme=${type}`)).text).toContain('Continue with Cyborg')
    }
  })
})

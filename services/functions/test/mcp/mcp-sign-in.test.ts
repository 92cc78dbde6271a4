import {
  auth,
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { sendJson } from '@onward/testbed'
import { openBrowser } from '../support/connecting.ts'
import { callTool } from '../support/mcp-support.ts'
import {
  allowAll,
  authorizeUrl,
  callToolAt,
  listTools,
  locationOf,
  newProof,
  obtainTokens,
  openConsent,
  refresh,
  register,
  signIn,
  tickedOf,
} from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

/** What the official client stores, and where it sends the browser. */
function openProvider() {
  const stored: { client?: object; tokens?: OAuthTokens; verifier?: string; url?: URL; discovery?: unknown } = {}
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Official client',
    redirect_uris: ['http://localhost:4711/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  const provider: OAuthClientProvider = {
    redirectUrl: 'http://localhost:4711/callback',
    clientMetadata,
    state: () => 'state-of-client',
    clientInformation: () => stored.client as never,
    saveClientInformation: (client) => {
      stored.client = client
    },
    tokens: () => stored.tokens,
    saveTokens: (tokens) => {
      stored.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      stored.url = url
    },
    saveCodeVerifier: (verifier) => {
      stored.verifier = verifier
    },
    codeVerifier: () => stored.verifier ?? '',
    saveDiscoveryState: (state) => {
      stored.discovery = state
    },
    discoveryState: () => stored.discovery as never,
  }
  return { stored, provider }
}

describe('the official client', () => {
  it('signs a user in with nothing but the URL, calls a function, and refreshes its tokens', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, []))
    const user = onward.newUser()
    await user.connect('notes')
    const { stored, provider } = openProvider()
    const transport = () => new StreamableHTTPClientTransport(new URL(onward.mcpUrl), { authProvider: provider })
    const first = transport()
    await expect(new Client({ name: 'host', version: '1' }).connect(first)).rejects.toThrow()
    expect(stored.url?.searchParams.get('resource')).toBe(onward.mcpUrl)

    const browser = await signIn(user)
    const page = await browser.open(stored.url?.href ?? '')
    expect(page.text).toContain('Give Official client access to app-1?')
    const location = locationOf(await browser.submit(page, allowAll(page)))
    expect(location.searchParams.get('state')).toBe('state-of-client')
    const mixedUp = new URLSearchParams({ ...Object.fromEntries(location.searchParams), iss: 'https://evil.example' })
    await expect(first.finishAuth(mixedUp)).rejects.toThrow()
    await first.finishAuth(location.searchParams)

    const client = new Client({ name: 'host', version: '1' })
    await client.connect(transport())
    const { value, isError } = await callTool(client, 'call_read_function', { name: 'notes-read-notes', arguments: {} })
    expect([isError, value.network_code]).toEqual([false, 200])

    const before = stored.tokens as OAuthTokens
    await onward.db
      .updateTable('mcp_secret')
      .set({ expires_at: new Date(0) })
      .where('kind', '=', 'access')
      .execute()
    await client.listTools()
    expect(stored.tokens?.access_token).not.toBe(before.access_token)
    expect(stored.tokens?.refresh_token).not.toBe(before.refresh_token)
    await client.close()
    expect(await auth(provider, { serverUrl: onward.mcpUrl })).toBe('AUTHORIZED')
  })
})

describe('the MCP URL of an application', () => {
  it('leads a client without a token to the metadata, from there to the authorization server', async () => {
    const response = await listTools(onward.mcpUrl)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate') ?? ''
    const [, metadataUrl = ''] = /^Bearer resource_metadata="([^"]+)", scope="functions:read functions:write"$/.exec(challenge) ?? []
    expect(metadataUrl).toBe(`${onward.url}/.well-known/oauth-protected-resource/mcp/app-1`)
    const metadata = await (await fetch(metadataUrl)).json()
    expect(metadata).toMatchObject({ resource: onward.mcpUrl, authorization_servers: [onward.url], resource_name: 'app-1' })
    const server = await (await fetch(`${onward.url}/.well-known/oauth-authorization-server`)).json()
    expect(server).toMatchObject({
      issuer: onward.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect(await (await fetch(`${onward.url}/.well-known/openid-configuration`)).json()).toEqual(server)
    const root = await (await fetch(`${onward.url}/.well-known/oauth-protected-resource`)).json()
    expect(root).toMatchObject({ resource: onward.url, authorization_servers: [onward.url] })
  })

  it('is answered with 404 for an unknown application, as its metadata is', async () => {
    const response = await listTools(`${onward.url}/mcp/unknown`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { data: { code: 'application_not_found' } } })
    expect((await fetch(`${onward.url}/.well-known/oauth-protected-resource/mcp/unknown`)).status).toBe(404)
    expect((await fetch(`${onward.url}/.well-known/oauth-authorization-server/mcp/app-1`)).status).toBe(404)
  })

  it('also takes a token of POST /mcp/tokens, but only of its application', async () => {
    const { body } = await onward.newUser().post('/mcp/tokens', { mode: 'search' }).expect(200)
    expect((await listTools(onward.mcpUrl, body.token)).status).toBe(200)
    const other = await onward.makeApplication('other-app')
    const { body: foreign } = await onward.user('joe', other).post('/mcp/tokens', { mode: 'search' }).expect(200)
    const refused = await listTools(onward.mcpUrl, foreign.token)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('has the path of PUBLIC_URL in its metadata, and in where the metadata is', async () => {
    const other = await onward.startAnother({ publicUrl: 'https://onward.example/base' })
    const get = async (path: string) => {
      const response = await fetch(`${other.url}${path}`)
      return response.status === 200 ? await response.json() : response.status
    }
    const metadata = { resource: 'https://onward.example/base/mcp/app-1', authorization_servers: ['https://onward.example/base'] }
    expect(await get('/.well-known/oauth-protected-resource/base/mcp/app-1')).toMatchObject(metadata)
    expect(await get('/.well-known/oauth-authorization-server/base')).toMatchObject({ issuer: 'https://onward.example/base' })
    expect(await get('/.well-known/openid-configuration')).toMatchObject({ issuer: 'https://onward.example/base' })
    expect(await get('/.well-known/oauth-authorization-server/other')).toBe(404)
  })
})

describe('the sign-in link', () => {
  it('signs in only after the button is pressed, and in one browser', async () => {
    const user = onward.newUser()
    const { body } = await user.post('/mcp/sign-in/link', { expires_in_minutes: 5 }).expect(200)
    expect(body).toEqual({
      url: expect.stringMatching(/\/oauth\/link\/[\w-]{43}$/),
      expires_at: expect.any(String),
      mcp_url: onward.mcpUrl,
    })
    expect((await openBrowser().open(body.url)).status).toBe(200)
    const browser = openBrowser()
    const signedIn = await browser.submit(await browser.open(body.url))
    expect(signedIn.text).toContain(onward.mcpUrl)
    expect((await openBrowser().open(body.url)).status).toBe(410)
    expect((await browser.open(body.url)).status).toBe(200)
  })

  it('has the name of the application that its users see at the top', async () => {
    const application = await onward.makeApplication('app-with-name')
    const settings = { workspace_id: 'workspace-1', name: 'app-with-name', connect_pages: { name: 'Acme Shop' } }
    await onward.admin('put', '/admin/applications/app-with-name', settings).expect(200)
    const { body } = await onward.user('joe', application).post('/mcp/sign-in/link').expect(200)
    expect((await openBrowser().open(body.url)).text).toMatch(/Acme Shop<\/header>/)
  })

  it('can be pasted into the page of the client, and the page asks again for a wrong one', async () => {
    const user = onward.newUser()
    const client = await register(onward.url)
    const browser = openBrowser()
    const page = await browser.open(authorizeUrl(onward, client.client_id, newProof().challenge))
    expect(page.text).toContain('Sign in to app-1')
    expect((await browser.submit(page)).text).toContain('This browser is not signed in yet')
    expect((await browser.submit(page, { link: 'https://onward.example/x' })).text).toContain('not valid here')
    const other = await onward.makeApplication('app-of-link')
    const { body: foreign } = await onward.user('joe', other).post('/mcp/sign-in/link').expect(200)
    expect((await browser.submit(page, { link: foreign.url })).text).toContain('not valid here')
    const { body } = await user.post('/mcp/sign-in/link').expect(200)
    const consent = await browser.submit(page, { link: body.url })
    expect(consent.text).toContain('Give Test host access to app-1?')
    expect(consent.text).toContain(user.userId)
    expect(locationOf(await browser.submit(consent, allowAll(consent))).searchParams.get('code')).toMatch(/^[\w-]{43}$/)
  })

  it('cannot be made by a page in a browser', async () => {
    const { headers } = onward.newUser()
    const response = await fetch(`${onward.url}/mcp/sign-in/link`, {
      method: 'POST',
      headers: { ...headers, origin: 'https://page.example' },
    })
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'origin_not_allowed' })
  })
})

describe('the consent page', () => {
  it('names the program, where it leads back to, the application, the user and the apps', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    const { page } = await openConsent(onward, user, { registration: { client_name: '<b>Host</b>' } })
    expect(page.text).toContain('Give &lt;b&gt;Host&lt;/b&gt; access to app-1?')
    expect(page.text).toContain('as it calls itself')
    expect(page.text).toContain('<strong>host.example</strong>')
    expect(page.text).toContain(`<bdi>${user.userId}</bdi>`)
    // The user has connected Desk. Clock needs no account, and is a part of "All" too.
    expect(tickedOf(page, 'app')).toEqual(['clock', 'desk'])
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  it('gives only what the user leaves ticked', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    await user.connect('notes')
    const decision = { which: 'some', app: 'desk', function: 'desk-list-labels', read_only: 'true', days: '7' }
    const { tokens, client } = await obtainTokens(onward, user, { decision })
    expect(tokens.scope).toBe('functions:read offline_access')
    const { body } = await user.post('/mcp/tokens/list').expect(200)
    expect(body.tokens).toEqual([
      expect.objectContaining({
        name: 'Test host',
        apps: ['desk'],
        functions: ['desk-list-labels'],
        read_only: true,
        role: 'application',
        client: { id: client.client_id, redirect_host: 'host.example' },
      }),
    ])
    const days = (Date.parse(body.tokens[0].expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(6.9)
    expect(days).toBeLessThan(7.1)
  })

  it('can leave out an app that needs no account', async () => {
    const user = onward.newUser()
    const { page } = await openConsent(onward, user)
    expect(page.text).toContain('You have not connected an app yet.')
    expect(tickedOf(page, 'app')).toEqual(['clock'])
    await user.connect('desk')
    const { tokens } = await obtainTokens(onward, user, { decision: { which: 'some', app: 'desk' } })
    const called = await callToolAt(onward.mcpUrl, tokens.access_token, 'call_read_function', { name: 'clock-get-time' })
    expect(called).toContain('function_not_found')
  })

  it('can make the program ask before it creates or changes anything', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { labels: [], id: 7 }))
    const user = onward.newUser()
    await user.connect('desk')
    const { page } = await openConsent(onward, user)
    expect(page.text).toMatch(/<input type="checkbox" name="asks" value="true"> Ask me before it creates or changes anything/)
    const { tokens } = await obtainTokens(onward, user, { decision: { asks: 'true' } })
    const { body } = await user.post('/mcp/tokens/list').expect(200)
    expect(body.tokens[0].rules).toEqual([{ types: ['ACTION', 'PASSTHROUGH'], result: 'ask' }])
    const call = async (name: string, args: object) =>
      JSON.parse(await callToolAt(onward.mcpUrl, tokens.access_token, 'call_function', { name, arguments: args }))
    const asked = await call('desk-create-ticket', { subject: 'Printer' })
    expect(asked).toMatchObject({ code: 'approval_required', what_to_do: expect.stringContaining('/oauth/approvals/') })
    expect(await call('desk-list-labels', {})).toMatchObject({ network_code: 200, output: [] })
  })

  it('asks again, with what was chosen, when nothing or something contradictory is ticked', async () => {
    const user = onward.newUser()
    await user.connect('desk')
    const { browser, page } = await openConsent(onward, user)
    const none = await browser.submit(page, { decision: 'allow', which: 'some', read_only: 'true', days: '1' })
    expect(none.status).toBe(400)
    expect(none.text).toContain('Choose at least one app')
    expect(none.text).toMatch(/value="some" checked/)
    expect(none.text).toMatch(/name="read_only" value="true" checked/)
    expect(none.text).toMatch(/value="1" selected/)
    expect((await browser.submit(page, { decision: 'allow', which: 'all', days: '30' })).text).toContain('You have unticked something')
    expect((await browser.submit(page, { ...allowAll(page), days: '5' })).text).toContain('Choose how long')
  })

  it('tells the client that the user did not allow it, with its state and the issuer', async () => {
    const { browser, page } = await openConsent(onward)
    const { searchParams, origin } = locationOf(await browser.submit(page, { decision: 'deny', days: '30' }))
    expect(origin).toBe('https://host.example')
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'access_denied', state: 'state-1', iss: onward.url })
    expect((await browser.submit(page, allowAll(page))).status).toBe(400)
  })

  it('says that a client which asks only to read can only read', async () => {
    const user = onward.newUser()
    const { tokens } = await obtainTokens(onward, user, { authorizing: { scope: 'functions:read' } })
    expect(tokens.scope).toBe('functions:read offline_access')
    const { body } = await user.post('/mcp/tokens/list').expect(200)
    expect(body.tokens[0].read_only).toBe(true)
  })
})

describe('a grant', () => {
  it('is in the audit log, and ends at once in every process when it is revoked', async () => {
    const user = onward.newUser()
    const { tokens } = await obtainTokens(onward, user)
    const other = await onward.startAnother()
    const there = async () => (await listTools(`${other.url}/mcp/app-1`, tokens.access_token)).status
    expect(await there()).toBe(200)
    const entries = await onward.db
      .selectFrom('audit_entry' as never)
      .selectAll()
      .execute()
    const mine = (entries as { action: string; actor_id: string; after: unknown }[]).filter(
      ({ action, actor_id }) => action === 'mcp-grant.create' && actor_id === user.userId,
    )
    expect(mine).toMatchObject([{ after: { apps: null, functions: null, read_only: false, expires_in_days: 30 } }])
    const { body } = await user.post('/mcp/tokens/list').expect(200)
    const { headers } = user
    await fetch(`${onward.url}/mcp/tokens/${body.tokens[0].id}`, { method: 'DELETE', headers })
    expect(await there()).toBe(401)
    expect((await listTools(onward.mcpUrl, tokens.access_token)).status).toBe(401)
  })

  it('ends with the application secret that made the link', async () => {
    const application = await onward.makeApplication('rotated')
    const user = onward.user('joe', application)
    const { tokens, client } = await obtainTokens(onward, user, { authorizing: { resource: `${onward.url}/mcp/rotated` } })
    const url = `${onward.url}/mcp/rotated`
    expect((await listTools(url, tokens.access_token)).status).toBe(200)
    await onward.admin('post', '/admin/applications/rotated/rotate-secret', { keep_previous_hours: 0 }).expect(200)
    expect((await listTools(url, tokens.access_token)).status).toBe(401)
    expect((await refresh(onward.url, client.client_id, tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('ends with its application', async () => {
    const application = await onward.makeApplication('deleted')
    const { tokens } = await obtainTokens(onward, onward.user('joe', application), {
      authorizing: { resource: `${onward.url}/mcp/deleted` },
    })
    await onward.admin('delete', '/admin/applications/deleted').expect(200)
    expect((await listTools(`${onward.url}/mcp/deleted`, tokens.access_token)).status).toBe(404)
    expect(await onward.db.selectFrom('mcp_sign_in').selectAll().where('app_key', '=', 'deleted').execute()).toEqual([])
  })
})

import { createHash, randomBytes } from 'node:crypto'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { deleteExpiredSignIns } from '../../src/db/mcp-secrets.ts'
import { headingOf, openBrowser } from '../support/connecting.ts'
import {
  allowAll,
  authorizeUrl,
  CALLBACK,
  type Fields,
  listTools,
  locationOf,
  newProof,
  obtainCode,
  obtainTokens,
  openConsent,
  refresh,
  register,
  sendForm,
  signIn,
} from '../support/sign-in-support.ts'
import { openFunctions, useFunctions } from '../support/support.ts'

const onward = useFunctions()
/** Returns fields whose resource is on this server. */
const here = (fields: Fields): Fields => ('resource' in fields ? { resource: fields.resource?.replace('ONWARD', onward.url) } : fields)
const exchange = (fields: Fields, headers: Fields = {}) => sendForm(`${onward.url}/oauth/token`, fields, headers)

afterEach(async () => {
  expect(await onward.rows()).toEqual({ call_log: 0, call_attempt: 0, outbox: 0 })
  expect(onward.third.received).toEqual([])
})

describe('a wrong authorization request', () => {
  it.each<[string, Fields, RegExp]>([
    ['an unknown client', { client_id: 'mcc_unknown' }, /not known here/],
    ['a redirect URI that is not registered', { redirect_uri: 'https://host.example/other' }, /unknown address/],
    ['a look-alike host', { redirect_uri: 'https://host.example.evil.example/callback' }, /unknown address/],
    ['a look-alike in the user information', { redirect_uri: 'https://host.example@evil.example/callback' }, /unknown address/],
    ['the registered URI with a longer path', { redirect_uri: `${CALLBACK}/../evil` }, /unknown address/],
    ['the registered URI with another port', { redirect_uri: 'https://host.example:8443/callback' }, /unknown address/],
    ['the registered URI with a query', { redirect_uri: `${CALLBACK}?x=1` }, /unknown address/],
    ['the registered URI in other letters', { redirect_uri: 'https://HOST.example/callback' }, /unknown address/],
    ['no redirect URI', { redirect_uri: undefined }, /unknown address/],
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, /wrong request/],
    ['the plain method of PKCE', { code_challenge_method: 'plain' }, /wrong request/],
    ['a challenge that is too short', { code_challenge: 'abc' }, /wrong request/],
    ['the implicit flow', { response_type: 'token' }, /wrong request/],
    ['no resource', { resource: undefined }, /wrong request/],
    ['the resource of another server', { resource: 'https://evil.example/mcp/app-1' }, /wrong request/],
    ['an unknown application', { resource: 'ONWARD/mcp/unknown' }, /wrong request/],
  ])('with %s is answered with a page and never redirects', async (_title, changed, heading) => {
    const { page } = await openConsent(onward, undefined, { authorizing: here(changed) })
    expect([page.status, page.headers.location]).toEqual([400, undefined])
    expect(headingOf(page)).toMatch(heading)
  })

  it('with a parameter that is sent twice is refused', async () => {
    const client = await register(onward.url)
    const url = authorizeUrl(onward, client.client_id, newProof().challenge)
    const page = await openBrowser().open(`${url}&redirect_uri=https%3A%2F%2Fevil.example%2F`)
    expect(headingOf(page)).toMatch(/unknown address/)
  })

  it('links back to a registered URI with the error and the issuer', async () => {
    const client = await register(onward.url)
    const page = await openBrowser().open(authorizeUrl(onward, client.client_id, 'short'))
    const [, href = ''] = /href="(https:[^"]+)"/.exec(page.text) ?? []
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'))
    expect([searchParams.get('error'), searchParams.get('iss'), searchParams.get('state')]).toEqual([
      'invalid_request',
      onward.url,
      'state-1',
    ])
  })
})

describe('a redirect URI', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://host.example/callback',
    'http://localhost.evil.example/callback',
    'http://localhost@evil.example/',
    'http://127.0.0.1:80@evil.example/',
    'https://user:pass@host.example/',
    'https://host.example/#fragment',
    'https:/host.example/',
    'https://host.example/\\evil',
    'https://höst.example/',
    'nothing',
  ])('%s cannot be registered', async (uri) => {
    const send = async (uris: string[]) =>
      await fetch(`${onward.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: uris, token_endpoint_auth_method: 'none' }),
      })
    const alone = await send([uri])
    expect(alone.status).toBe(400)
    expect(await alone.json()).toMatchObject({ error: 'invalid_redirect_uri' })
    expect(await (await send([uri, CALLBACK])).json()).toMatchObject({ redirect_uris: [CALLBACK] })
  })

  it('of this computer may have any port, but no other host or path', async () => {
    const client = await register(onward.url, { redirect_uris: ['http://127.0.0.1:3000/callback'] })
    const browser = await signIn(onward.newUser())
    const open = async (redirect_uri: string) =>
      (await browser.open(authorizeUrl(onward, client.client_id, newProof().challenge, { redirect_uri }))).status
    expect(await open('http://127.0.0.1:51234/callback')).toBe(200)
    expect(await open('http://127.0.0.1/callback')).toBe(200)
    expect(await open('http://localhost:3000/callback')).toBe(400)
    expect(await open('http://127.0.0.1:3000/other')).toBe(400)
    expect(await open('http://127.0.0.1:3000@evil.example/callback')).toBe(400)
  })
})

describe('a code', () => {
  it.each<[string, Fields, string]>([
    ['another verifier', { code_verifier: randomBytes(32).toString('base64url') }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }, 'invalid_grant'],
    ['no redirect URI', { redirect_uri: undefined }, 'invalid_grant'],
    ['another resource', { resource: 'ONWARD/mcp/second' }, 'invalid_target'],
  ])('with %s gives no tokens, and is spent', async (_title, changed, error) => {
    const { fields } = await obtainCode(onward)
    const refused = await exchange({ ...fields, ...here(changed) })
    expect([refused.status, refused.body.error, refused.headers['cache-control']]).toEqual([400, error, 'no-store'])
    expect((await exchange(fields)).body.error).toBe('invalid_grant')
  })

  it('of another client gives no tokens', async () => {
    const { fields } = await obtainCode(onward)
    const thief = await register(onward.url)
    expect((await exchange({ ...fields, client_id: thief.client_id })).body.error).toBe('invalid_grant')
    expect((await exchange(fields)).status).toBe(200)
  })

  it('that is used twice ends the access that it gave', async () => {
    const { fields } = await obtainCode(onward)
    const { body } = await exchange(fields)
    expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(200)
    expect((await exchange(fields)).body.error).toBe('invalid_grant')
    expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(401)
    expect((await refresh(onward.url, fields.client_id, body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('gives tokens once when two requests arrive together', async () => {
    const { fields } = await obtainCode(onward)
    const answers = await Promise.all([exchange(fields), exchange(fields)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('expires after a minute', async () => {
    const { fields } = await obtainCode(onward)
    const hash = createHash('sha256').update(fields.code).digest()
    const soon = await onward.db
      .selectFrom('mcp_authorization')
      .select('expires_at')
      .where('code_hash', '=', hash)
      .executeTakeFirstOrThrow()
    expect(soon.expires_at.getTime() - Date.now()).toBeLessThan(61_000)
    await onward.db
      .updateTable('mcp_authorization')
      .set({ expires_at: new Date(0) })
      .where('code_hash', '=', hash)
      .execute()
    expect((await exchange(fields)).body.error).toBe('invalid_grant')
  })
})

describe('the pages', () => {
  it('continue only in the browser in which the sign-in began', async () => {
    const victim = await signIn(onward.newUser())
    const { page } = await openConsent(onward)
    expect(headingOf(await victim.submit(page, allowAll(page)))).toBe('This was started in another browser')
    expect(headingOf(await openBrowser().submit(page, allowAll(page)))).toBe('This was started in another browser')
  })

  it.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, by what the browser says', { 'sec-fetch-site': 'cross-site' }],
  ])('refuse a form of %s', async (_title, headers) => {
    const user = onward.newUser()
    const { browser, page } = await openConsent(onward, user)
    expect((await browser.submit(page, allowAll(page), headers)).status).toBe(403)
    const { body } = await user.post('/mcp/sign-in/link').expect(200)
    const link = await openBrowser().open(body.url)
    expect((await openBrowser().submit(link, {}, headers)).status).toBe(403)
    expect(locationOf(await browser.submit(page, allowAll(page))).origin).toBe('https://host.example')
  })

  it('do not take a decision twice', async () => {
    const { browser, page } = await openConsent(onward)
    const answers = await Promise.all([browser.submit(page, allowAll(page)), browser.submit(page, allowAll(page))])
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410])
  })

  it('do not sign in to another application than the one of the link', async () => {
    const other = await onward.makeApplication('other-app')
    const { browser, page } = await openConsent(onward, onward.user('joe', other))
    expect(headingOf(page)).toBe('Sign in to app-1')
    expect((await browser.submit(page, allowAll(page))).status).toBe(400)
  })
})

describe('an access token', () => {
  it('is good for one MCP URL only, and for no other endpoint', async () => {
    await onward.makeApplication('second-app')
    const { tokens } = await obtainTokens(onward)
    for (const url of [`${onward.url}/mcp/second-app`, `${onward.url}/mcp`]) {
      const response = await listTools(url, tokens.access_token)
      expect([url, response.status]).toEqual([url, 401])
    }
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await fetch(`${onward.url}/apps/list`, { method: 'POST', headers })).status).toBe(401)
    expect((await fetch(`${onward.url}/mcp/tokens`, { method: 'POST', headers })).status).toBe(401)
    expect((await listTools(onward.mcpUrl, tokens.refresh_token)).status).toBe(401)
    expect((await refresh(onward.url, 'x', tokens.access_token)).body.error).toBe('invalid_client')
  })

  it('is stored as a digest only, like every other secret, and lasts an hour', async () => {
    const { tokens, fields, client } = await obtainTokens(onward, onward.newUser(), {
      registration: { token_endpoint_auth_method: 'client_secret_post' },
    })
    expect(tokens.expires_in).toBeGreaterThan(3_500)
    expect(tokens.expires_in).toBeLessThanOrEqual(3_600)
    const tables = ['mcp_client', 'mcp_sign_in', 'mcp_authorization', 'mcp_secret', 'mcp_token', 'audit_entry'] as const
    const rows = await Promise.all(
      tables.map((table) =>
        onward.db
          .selectFrom(table as 'mcp_secret')
          .selectAll()
          .execute(),
      ),
    )
    const stored = JSON.stringify(rows, (_key, value) => (value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value))
    for (const secret of [tokens.access_token, tokens.refresh_token, fields.code, client.client_secret])
      expect(stored).not.toContain(secret)
  })
})

describe('a refresh token', () => {
  it('is replaced at each use, and its late second use ends the access', async () => {
    const { tokens, client } = await obtainTokens(onward)
    const first = await refresh(onward.url, client.client_id, tokens.refresh_token)
    expect(first.body.refresh_token).not.toBe(tokens.refresh_token)
    const parallel = await refresh(onward.url, client.client_id, tokens.refresh_token)
    expect(parallel.status).toBe(200)
    expect((await listTools(onward.mcpUrl, first.body.access_token)).status).toBe(200)
    const hash = createHash('sha256').update(tokens.refresh_token).digest()
    await onward.db
      .updateTable('mcp_secret')
      .set({ used_at: new Date(Date.now() - 61_000) })
      .where('token_hash', '=', hash)
      .execute()
    expect((await refresh(onward.url, client.client_id, tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await listTools(onward.mcpUrl, first.body.access_token)).status).toBe(401)
    for (const { body } of [first, parallel]) {
      expect((await refresh(onward.url, client.client_id, body.refresh_token)).body.error).toBe('invalid_grant')
    }
  })

  it('works in each of many refreshes that arrive together, at two processes', async () => {
    const { tokens, client } = await obtainTokens(onward)
    const other = await onward.startAnother()
    const urls = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? onward.url : other.url))
    const answers = await Promise.all(urls.map((url) => refresh(url, client.client_id, tokens.refresh_token)))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    for (const { body } of answers) expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(200)
  })

  it('of another client, or for another resource, is refused', async () => {
    const { tokens, client } = await obtainTokens(onward)
    const thief = await register(onward.url)
    expect((await refresh(onward.url, thief.client_id, tokens.refresh_token)).body.error).toBe('invalid_grant')
    const foreign = { resource: `${onward.url}/mcp/second-app` }
    expect((await refresh(onward.url, client.client_id, tokens.refresh_token, foreign)).body.error).toBe('invalid_target')
    expect((await refresh(onward.url, client.client_id, tokens.refresh_token)).status).toBe(200)
  })
})

describe('the revocation endpoint', () => {
  it('ends the access with its refresh token, and one access token with itself, only for their client', async () => {
    const { tokens, client } = await obtainTokens(onward)
    const thief = await register(onward.url)
    const revoke = async (client_id: string, token?: string) => await sendForm(`${onward.url}/oauth/revoke`, { client_id, token })
    expect((await revoke(thief.client_id, tokens.refresh_token)).status).toBe(200)
    expect((await revoke(thief.client_id, tokens.access_token)).status).toBe(200)
    expect((await listTools(onward.mcpUrl, tokens.access_token)).status).toBe(200)
    expect((await revoke(client.client_id, tokens.access_token)).status).toBe(200)
    expect((await listTools(onward.mcpUrl, tokens.access_token)).status).toBe(401)
    const { body } = await refresh(onward.url, client.client_id, tokens.refresh_token)
    expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(200)
    expect((await revoke(client.client_id, body.refresh_token)).status).toBe(200)
    expect((await listTools(onward.mcpUrl, body.access_token)).status).toBe(401)
    expect((await revoke(client.client_id, 'unknown')).status).toBe(200)
    expect((await revoke(client.client_id)).body.error).toBe('invalid_request')
  })
})

describe('a client', () => {
  it.each(['client_secret_post', 'client_secret_basic'])('with %s must send its secret', async (method) => {
    const { client, fields } = await obtainCode(onward, onward.newUser(), { registration: { token_endpoint_auth_method: method } })
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}` })
    const secret = client.client_secret ?? ''
    const without = await exchange(fields)
    expect([without.status, without.body.error]).toEqual([401, 'invalid_client'])
    expect(without.headers['www-authenticate']).toMatch(/^Basic/)
    expect((await exchange({ ...fields, client_secret: 'wrong' })).status).toBe(401)
    expect((await exchange(fields, basic('wrong'))).status).toBe(401)
    expect((await exchange({ ...fields, client_secret: secret }, basic(secret))).body.error).toBe('invalid_request')
    const right = method === 'client_secret_post' ? exchange({ ...fields, client_secret: secret }) : exchange(fields, basic(secret))
    expect((await right).status).toBe(200)
  })

  it('that registered itself and was never used is forgotten after seven days', async () => {
    const { client_id: id } = await register(onward.url)
    const age = async (ms: number) =>
      await sql`update mcp_client set expires_at = expires_at - make_interval(secs => ${ms / 1_000}) where id = ${id}`.execute(onward.db)
    const open = async () => (await openBrowser().open(authorizeUrl(onward, id, newProof().challenge))).text
    await age(7 * 86_400_000 - 60_000)
    expect(await open()).toContain('Sign in to app-1')
    await age(60_000)
    expect(await open()).toContain('This application is not known here')
  })

  it('that nobody used is forgotten, and then gets invalid_client', async () => {
    const { tokens, client } = await obtainTokens(onward)
    const expiry = async () =>
      (await onward.db.selectFrom('mcp_client').select('expires_at').where('id', '=', client.client_id).executeTakeFirstOrThrow())
        .expires_at
    expect((await expiry()).getTime() - Date.now()).toBeGreaterThan(89 * 86_400_000)
    await onward.db
      .updateTable('mcp_client')
      .set({ expires_at: new Date(0) })
      .where('id', '=', client.client_id)
      .execute()
    const refused = await refresh(onward.url, client.client_id, tokens.refresh_token)
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
    await deleteExpiredSignIns(onward.db)
    expect(await onward.db.selectFrom('mcp_client').select('id').where('id', '=', client.client_id).execute()).toEqual([])
  })

  it('gets errors in the form of OAuth', async () => {
    const json = await fetch(`${onward.url}/oauth/token`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    expect([json.status, await json.json()]).toEqual([400, { error: 'invalid_request', error_description: expect.any(String) }])
    const client = await register(onward.url)
    expect((await exchange({ client_id: client.client_id, grant_type: 'password' })).body.error).toBe('unsupported_grant_type')
    const twice = await fetch(`${onward.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'code=a&code=b',
    })
    expect(await twice.json()).toMatchObject({ error: 'invalid_request', error_description: 'code: must be sent once' })
  })
})

describe('a metadata document', () => {
  let host: ScriptedServer
  const idOf = (path = '/client.json') => `${host.url}${path}`
  let document: object

  beforeAll(async () => {
    host = await openScriptedServer()
    host.respond((_received, response) => sendJson(response, 200, document))
  })
  afterAll(async () => await host.close())
  const open = async (at: { url: string }, id: string) => await openBrowser(at).open(authorizeUrl(onward, id, newProof().challenge))
  const described = (client_id: string, more: object = {}) => ({
    client_id,
    client_name: 'Documented host',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    ...more,
  })

  it('identifies a client, which then gets tokens, and is read once', async () => {
    document = described(idOf())
    const browser = await signIn(onward.newUser())
    const { verifier, challenge } = newProof()
    const page = await browser.open(authorizeUrl(onward, idOf(), challenge))
    expect(page.text).toContain('Give Documented host access to app-1?')
    expect(page.text).toContain(`as described by <strong>${new URL(host.url).host}</strong>`)
    const code = locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id: idOf(), code, code_verifier: verifier, redirect_uri: CALLBACK }
    const { status, body } = await exchange(fields)
    expect(status).toBe(200)
    expect((await refresh(onward.url, idOf(), body.refresh_token)).status).toBe(200)
    await browser.open(authorizeUrl(onward, idOf(), challenge))
    expect(host.received.filter(({ url }) => url === '/client.json')).toHaveLength(1)
  })

  it.each<[string, string, (id: string) => object]>([
    ['another client_id', '/a.json', () => described('https://other.example/client.json')],
    ['a client secret', '/b.json', (id) => described(id, { token_endpoint_auth_method: 'client_secret_post' })],
    ['no redirect URI', '/c.json', (id) => described(id, { redirect_uris: [] })],
    ['only forbidden redirect URIs', '/d.json', (id) => described(id, { redirect_uris: ['javascript:alert(1)'] })],
    ['too many bytes', '/e.json', (id) => described(id, { padding: 'x'.repeat(20_000) })],
  ])('with %s is refused', async (_title, path, make) => {
    document = make(idOf(path))
    expect(headingOf(await open(onward, idOf(path)))).toBe('This application cannot be identified')
  })

  it.each(['/', '/x/../client.json', '/client.json#x'])('at the path %s is not read', async (path) => {
    const before = host.received.length
    expect(headingOf(await open(onward, idOf(path)))).toBe('This application cannot be identified')
    expect(host.received).toHaveLength(before)
  })

  it('that redirects is refused', async () => {
    host.respond((_received, response) => {
      response.writeHead(302, { location: idOf('/elsewhere.json') }).end()
    })
    expect(headingOf(await open(onward, idOf('/redirects.json')))).toBe('This application cannot be identified')
    expect(host.received.filter(({ url }) => url === '/elsewhere.json')).toEqual([])
  })

  it('on a private address is never fetched', async () => {
    const guarded = await openFunctions({ env: { OUTGOING_REACH: 'public' } })
    const before = host.received.length
    const ids = [
      idOf(),
      'https://127.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://localhost/client.json',
      'https://10.0.0.1/c.json',
    ]
    for (const id of ids) expect(headingOf(await open(guarded, id))).toBe('This application cannot be identified')
    expect(host.received).toHaveLength(before)
  })
})

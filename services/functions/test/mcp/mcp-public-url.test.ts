import request from 'supertest'
import { actionOf, headingOf, openBrowser } from '../support/connecting.ts'
import { openProxy } from '../support/proxy.ts'
import { allowAll, authorizeUrl, CALLBACK, callToolAt, locationOf, newProof, register, sendForm } from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

const PUBLIC = 'https://onward.example/onward'
const MCP_URL = `${PUBLIC}/mcp/app-1`
const onward = useFunctions({ env: { ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: PUBLIC } })
/** The service behind a proxy that ends TLS and removes the path of PUBLIC_URL. `at` is the address of the proxy with this path. */
let proxy: Awaited<ReturnType<typeof openProxy>>
let at: string

beforeAll(async () => {
  proxy = await openProxy([onward.url], { prefix: '/onward', headers: { host: 'onward.example', 'x-forwarded-proto': 'https' } })
  at = `${proxy.url}/onward`
})
afterAll(async () => await proxy.close())

describe('behind a proxy, with a path in PUBLIC_URL', () => {
  it('a client finds the server from the 401 of the MCP URL', async () => {
    const { status, headers } = await request(at).post('/mcp/app-1').send({})
    const [, found = ''] = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate'] ?? '') ?? []
    expect([status, found]).toEqual([401, 'https://onward.example/.well-known/oauth-protected-resource/onward/mcp/app-1'])
    const read = async (path: string) => (await request(proxy.url).get(path).expect(200)).body
    const resource = await read(new URL(found).pathname)
    expect(resource).toMatchObject({ resource: MCP_URL, authorization_servers: [PUBLIC] })
    for (const name of ['oauth-authorization-server', 'openid-configuration']) {
      const server = await read(`/.well-known/${name}/onward`)
      expect(server).toMatchObject({ issuer: PUBLIC, token_endpoint: `${PUBLIC}/oauth/token` })
    }
  })

  it('a user signs in, and the host gets tokens that work', async () => {
    const browser = openBrowser(proxy)
    const { body: link } = await request(at).post('/mcp/sign-in/link').set(onward.newUser().headers).expect(200)
    expect([link.url, link.mcp_url]).toEqual([expect.stringContaining(`${PUBLIC}/oauth/link/`), MCP_URL])
    const ours = { origin: 'https://onward.example', 'sec-fetch-site': 'same-origin' }
    const opened = await browser.open(link.url)
    expect(actionOf(opened)).toBe(link.url)
    expect(opened.headers['set-cookie']?.[0]).toMatch(
      /^__Host-onward-connect=[\w-]{43}; Max-Age=3600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    )
    expect((await browser.submit(opened, {}, ours)).status).toBe(200)

    const client = await register(at)
    const { verifier, challenge } = newProof()
    const page = await browser.open(authorizeUrl({ url: PUBLIC }, client.client_id, challenge))
    expect([headingOf(page), actionOf(page)]).toEqual(['Give Test host access to app-1?', `${PUBLIC}/oauth/consent`])
    expect((await browser.submit(page, allowAll(page), { origin: 'https://evil.example' })).status).toBe(403)
    const location = locationOf(await browser.submit(page, allowAll(page), ours))
    expect(location.href.startsWith(`${CALLBACK}?`)).toBe(true)
    expect([location.searchParams.get('iss'), location.searchParams.get('state')]).toEqual([PUBLIC, 'state-1'])

    const code = { code: location.searchParams.get('code') ?? '', code_verifier: verifier, redirect_uri: CALLBACK }
    const fields = { grant_type: 'authorization_code', client_id: client.client_id, ...code }
    const wrong = await sendForm(`${at}/oauth/token`, { ...fields, resource: `${at}/mcp/app-1` })
    expect(wrong.body.error).toBe('invalid_target')
    const { challenge: again, verifier: second } = newProof()
    const next = locationOf(
      await browser.submit(await browser.open(authorizeUrl({ url: PUBLIC }, client.client_id, again)), allowAll(page), ours),
    )
    const retried = { ...fields, code: next.searchParams.get('code') ?? '', code_verifier: second, resource: MCP_URL }
    const { status, body } = await sendForm(`${at}/oauth/token`, retried)
    expect(status).toBe(200)
    expect(await callToolAt(`${at}/mcp/app-1`, body.access_token, 'connect_account', { app: 'desk' })).toContain(`${PUBLIC}/connect/`)
  })

  it('the page of the application and the OpenID provider send the browser back to the public address', async () => {
    const settings = '/admin/applications/app-1/mcp-sign-in'
    await onward.admin('put', settings, { hand_off_url: 'https://acme.example/agents' }).expect(200)
    const { body } = await onward.admin('get', settings).expect(200)
    expect([body.redirect_url, body.mcp_url]).toEqual([`${PUBLIC}/oauth/callback`, MCP_URL])
    const browser = openBrowser(proxy)
    const client = await register(at)
    const away = locationOf(await browser.open(authorizeUrl({ url: PUBLIC }, client.client_id, newProof().challenge)))
    const sent = { request: away.searchParams.get('request') }
    const { body: approved } = await request(at).post('/mcp/sign-in/approve').set(onward.newUser().headers).send(sent).expect(200)
    expect(approved.url).toContain(`${PUBLIC}/oauth/continue/`)
    expect(headingOf(await browser.open(approved.url))).toBe('Give Test host access to app-1?')
  })
})

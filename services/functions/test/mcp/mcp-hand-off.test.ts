import request from 'supertest'
import { headingOf, openBrowser } from '../support/connecting.ts'
import {
  allowAll,
  authorizeUrl,
  CALLBACK,
  listTools,
  locationOf,
  newProof,
  openConsent,
  register,
  sendForm,
} from '../support/sign-in-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
const PAGE = 'https://acme.example/agents?from=onward'
const SETTINGS = '/admin/applications/app-1/mcp-sign-in'
const approve = (user: User, handedOff: string | null) => user.post('/mcp/sign-in/approve', { request: handedOff })

beforeAll(async () => {
  await onward.admin('put', SETTINGS, { hand_off_url: PAGE }).expect(200)
})

/** Begins a sign-in in a new browser. Returns the browser, and the request that it brings to the page of the application. */
async function begin() {
  const client = await register(onward.url)
  const { verifier, challenge } = newProof()
  const browser = openBrowser()
  const location = locationOf(await browser.open(authorizeUrl(onward, client.client_id, challenge)))
  return { client, verifier, browser, location, handedOff: location.searchParams.get('request') }
}

describe('an application that signs its users in itself', () => {
  it('gets the browser with a request, approves it for its user, and the user then decides', async () => {
    const { client, verifier, browser, location, handedOff } = await begin()
    expect(location.href).toContain(`${PAGE}&request=`)
    const user = onward.newUser()
    const { body } = await approve(user, handedOff).expect(200)
    expect(body).toEqual({
      url: expect.stringContaining(`${onward.url}/oauth/continue/`),
      expires_at: expect.any(String),
      client: 'Test host',
      redirect_host: 'host.example',
    })
    const page = await browser.open(body.url)
    expect(headingOf(page)).toBe('Give Test host access to app-1?')
    expect(page.text).toContain(`<bdi>${user.userId}</bdi>`)
    const code = locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id: client.client_id, code, code_verifier: verifier, redirect_uri: CALLBACK }
    const tokens = await sendForm(`${onward.url}/oauth/token`, fields)
    expect((await listTools(`${onward.url}/mcp/app-1`, tokens.body.access_token)).status).toBe(200)
    const { body: listed } = await user.post('/mcp/tokens/list').expect(200)
    expect(listed.tokens).toMatchObject([{ name: 'Test host', role: 'application' }])
  })

  it('need not be visited by a browser that a link has signed in', async () => {
    const { page } = await openConsent(onward)
    expect(headingOf(page)).toBe('Give Test host access to app-1?')
  })

  it('cannot give an attacker the access of a user who was sent the request of the attacker', async () => {
    const attacker = await begin()
    const victim = await begin()
    const { body } = await approve(onward.newUser(), attacker.handedOff).expect(200)
    expect(headingOf(await victim.browser.open(body.url))).toBe('This was started in another browser')
    // Neither a reload nor the request without the secret of the approval helps the attacker.
    const again = authorizeUrl(onward, attacker.client.client_id, newProof().challenge)
    expect(locationOf(await attacker.browser.open(again)).host).toBe('acme.example')
    const guessed = `${onward.url}/oauth/continue/${'x'.repeat(43)}?request=${attacker.handedOff}`
    expect((await attacker.browser.open(guessed)).status).toBe(410)
    const own = `${onward.url}/oauth/continue/x?request=${victim.handedOff}`
    expect((await attacker.browser.open(own)).status).toBe(403)
  })

  it.each<[string, (handedOff: string) => string]>([
    ['altered', (handedOff) => `${handedOff.slice(0, -2)}AA`],
    ['invented', () => 'x'.repeat(100)],
    ['empty of meaning', () => '{}'],
  ])('cannot approve a request that is %s', async (_what, change) => {
    const { handedOff } = await begin()
    const { body } = await approve(onward.newUser(), change(handedOff ?? '')).expect(400)
    expect(body.error_details[0]).toContain('request: is not of this application')
  })

  it('cannot approve the request of another application, an old one, or one that the user has decided', async () => {
    const foreign = onward.user('joe', await onward.makeApplication('foreign'))
    const { handedOff, browser } = await begin()
    await approve(foreign, handedOff).expect(400)
    const { body } = await approve(onward.newUser(), handedOff).expect(200)
    const page = await browser.open(body.url)
    await browser.submit(page, allowAll(page))
    await approve(onward.newUser(), handedOff).expect(400)
    const old = await begin()
    await onward.db
      .updateTable('mcp_authorization')
      .set({ expires_at: new Date(0) })
      .where('code_hash', 'is', null)
      .execute()
    await approve(onward.newUser(), old.handedOff).expect(400)
  })

  it('must approve on its server, not in a page', async () => {
    const { handedOff } = await begin()
    const { headers } = onward.newUser()
    const sent = request(onward.url).post('/mcp/sign-in/approve').set(headers).set('origin', 'https://page.example')
    expect((await sent.send({ request: handedOff })).body.code).toBe('origin_not_allowed')
  })
})

describe('the settings of the sign-in', () => {
  it('are read, and refused for a page that is not https', async () => {
    expect((await onward.admin('get', SETTINGS).expect(200)).body).toEqual({
      hand_off_url: PAGE,
      openid: null,
      redirect_url: expect.stringMatching(/\/oauth\/callback$/),
      mcp_url: expect.stringMatching(/\/mcp\/app-1$/),
    })
    for (const url of ['http://acme.example/', 'javascript:alert(1)', 'https://user@acme.example/']) {
      const { body } = await onward.admin('put', SETTINGS, { hand_off_url: url }).expect(400)
      expect(body.error_details[0]).toContain('hand_off_url: ')
    }
    await onward.admin('get', '/admin/applications/unknown/mcp-sign-in').expect(404)
    await onward.admin('put', '/admin/applications/unknown/mcp-sign-in', { hand_off_url: null }).expect(404)
  })
})

import { createServer } from 'node:net'
import { type OpenIdProvider, openOpenIdProvider } from '@onward/testbed'
import request from 'supertest'
import { headingOf, openBrowser } from '../support/connecting.ts'
import { allowAll, authorizeUrl, CALLBACK, listTools, locationOf, newProof, register, sendForm } from '../support/sign-in-support.ts'
import { ADMIN_TOKEN, type Functions, openFunctions } from '../support/support.ts'

const SETTINGS = '/admin/applications/app-1/mcp-sign-in'
let onward: Functions
let provider: OpenIdProvider

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const openid = (more: object = {}) => ({
  issuer: provider.url,
  client_id: 'onward',
  client_secret: 'secret-of-onward-0123456789',
  ...more,
})
const configure = (more: object = {}) => onward.admin('put', SETTINGS, { openid: openid(more) }).expect(200)

beforeAll(async () => {
  const port = await freePort()
  provider = await openOpenIdProvider(`http://127.0.0.1:${port}/oauth/callback`)
  onward = await openFunctions({ env: { PORT: String(port) } })
})
afterAll(async () => await provider.close())
beforeEach(async () => await configure())

/** Begins a sign-in in a new browser, which is then at the provider. */
async function begin() {
  const client = await register(onward.url)
  const { verifier, challenge } = newProof()
  const browser = openBrowser()
  const location = locationOf(await browser.open(authorizeUrl(onward, client.client_id, challenge)))
  return { client, verifier, browser, location }
}

/** Signs in at the provider. Returns the page after the callback. */
async function signInAs(subject: string) {
  const begun = await begin()
  const callback = await provider.signIn(begun.location.href, subject)
  return { ...begun, callback, page: await begun.browser.open(callback.href) }
}

describe('an application with an OpenID provider', () => {
  it('gets the User-ID from a claim, and the user then decides', async () => {
    const { client, verifier, browser, page } = await signInAs('subject-1')
    expect(headingOf(page)).toBe('Give Test host access to app-1?')
    expect(page.text).toContain('<bdi>subject-1</bdi>')
    const code = locationOf(await browser.submit(page, allowAll(page))).searchParams.get('code') ?? ''
    const fields = { grant_type: 'authorization_code', client_id: client.client_id, code, code_verifier: verifier, redirect_uri: CALLBACK }
    const { body } = await sendForm(`${onward.url}/oauth/token`, fields)
    const list = async () => (await listTools(`${onward.url}/mcp/app-1`, body.access_token)).status
    expect(await list()).toBe(200)
    // No secret of the application has made it, so it does not end with one.
    await onward.admin('post', '/admin/applications/app-1/rotate-secret', { keep_previous_hours: 0 }).expect(200)
    expect(await list()).toBe(200)
  })

  it('takes only a verified e-mail address', async () => {
    await configure({ claim: 'email' })
    await provider.setAccount('ada', { email: 'ada@example.com', email_verified: true })
    expect((await signInAs('ada')).page.text).toContain('<bdi>ada@example.com</bdi>')
    await provider.setAccount('eve', { email: 'ada@example.com', email_verified: false })
    const { page } = await signInAs('eve')
    expect([page.status, headingOf(page)]).toEqual([403, 'You cannot be signed in'])
    // Microsoft Entra ID says it with a claim of its own.
    await provider.setAccount('eda', { email: 'eda@example.com', xms_edov: true })
    expect((await signInAs('eda')).page.text).toContain('<bdi>eda@example.com</bdi>')
    await configure({ claim: 'employee_number' })
    expect(headingOf((await signInAs('ada')).page)).toBe('You cannot be signed in')
  })

  it('shows a page when the user cancels, or when the provider does not work', async () => {
    expect(headingOf((await signInAs('')).page)).toBe('You were not signed in')
    const { browser, location } = await begin()
    const callback = await provider.signIn(location.href, 'subject-1')
    await provider.setFaults({ status: 500 })
    expect(headingOf(await browser.open(callback.href))).toBe('Signing in does not work right now')
    const client = await register(onward.url)
    expect(headingOf(await openBrowser().open(authorizeUrl(onward, client.client_id, newProof().challenge)))).toBe(
      'Signing in does not work right now',
    )
    await provider.setFaults({})
  })

  it('continues only in the browser that began, with its own code, once', async () => {
    const attacker = await begin()
    const victim = await begin()
    const callback = await provider.signIn(victim.location.href, 'victim')
    expect(headingOf(await attacker.browser.open(callback.href))).toBe('This was started in another browser')
    // The code of another sign-in, which an attacker has put into the own one.
    const injected = new URL(callback)
    injected.searchParams.set('state', attacker.location.searchParams.get('state') ?? '')
    expect((await attacker.browser.open(injected.href)).status).toBe(502)
    const altered = new URL(callback)
    altered.searchParams.set('state', `${callback.searchParams.get('state')?.slice(0, -4)}AAAA`)
    expect((await victim.browser.open(altered.href)).status).toBe(400)
    const mixedUp = new URL(callback)
    mixedUp.searchParams.set('iss', 'https://evil.example')
    expect((await victim.browser.open(mixedUp.href)).status).toBe(502)
  })

  it('keeps the client secret sealed, also when the sealing key is replaced', async () => {
    const { body } = await onward.admin('get', SETTINGS).expect(200)
    expect(body.openid).toEqual({ issuer: provider.url, client_id: 'onward', claim: 'sub' })
    const rows = async () => await onward.db.selectFrom('mcp_sign_in_setting').selectAll().execute()
    const before = (await rows())[0]?.sealed_openid_secret
    expect(before?.toString('latin1')).not.toContain('secret-of-onward')
    const sealingKeys = [{ id: 'new', key: Buffer.alloc(32, 9) }, ...onward.config.sealingKeys]
    const other = await onward.startAnother({ port: 0, sealingKeys })
    await request(other.internalUrl).post('/admin/secrets/reseal').set('authorization', `Bearer ${ADMIN_TOKEN}`).expect(200)
    expect((await rows())[0]?.sealed_openid_secret?.equals(before as Buffer)).toBe(false)
  })

  it('keeps its client secret when other settings change, but sends it to no other issuer', async () => {
    const { client_secret: _, ...without } = openid()
    await onward.admin('put', SETTINGS, { openid: { ...without, claim: 'email' } }).expect(200)
    expect(headingOf((await signInAs('subject-3')).page)).not.toBe('Signing in does not work right now')
    for (const other of [{ issuer: 'https://evil.example' }, { client_id: 'other' }]) {
      const { body } = await onward.admin('put', SETTINGS, { openid: { ...without, ...other } }).expect(400)
      expect(body.error_details[0]).toContain('openid.client_secret: is missing')
    }
    await onward.admin('put', SETTINGS, {}).expect(200)
    await onward.admin('put', SETTINGS, { openid: without }).expect(400)
  })

  it('must have a valid issuer, and none is used when it is removed', async () => {
    const { body } = await onward.admin('put', SETTINGS, { openid: openid({ issuer: 'ftp://x' }) }).expect(400)
    expect(body.error_details[0]).toContain('openid.issuer: ')
    await onward.admin('put', SETTINGS, {}).expect(200)
    const client = await register(onward.url)
    const page = await openBrowser().open(authorizeUrl(onward, client.client_id, newProof().challenge))
    expect(headingOf(page)).toBe('Sign in to app-1')
  })
})

import { type OpenIdProvider, openOpenIdProvider } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { returnPath } from '../src/routes/return-path.ts'
import { type Insights, openInsights, type Workspace } from './insights.ts'

const PUBLIC_URL = 'https://onward.example'
const CALLBACK = `${PUBLIC_URL}/console/oidc/callback`
const API = '/console/api/insights'
const HEADER = { 'x-onward-console': '1' }

let provider: OpenIdProvider
let insights: Insights
let workspace: Workspace
beforeAll(async () => {
  provider = await openOpenIdProvider(CALLBACK)
  insights = await openInsights({ env: { PUBLIC_URL, ...provider.env, OIDC_LABEL: 'Sign in with Acme' } })
})
afterAll(async () => {
  await insights.close()
  await provider.close()
})
beforeEach(async () => {
  workspace = await insights.workspace()
})

type Headers = Record<string, string>
type Answer = request.Response

const setCookies = ({ headers }: Answer) => (headers['set-cookie'] ?? []) as unknown as string[]
const cookiesOf = (answer: Answer) =>
  setCookies(answer)
    .map((each) => each.split(';')[0] ?? '')
    .filter((each) => !each.endsWith('='))
    .join('; ')

const start = (returnTo = '/w/acme/calls', headers: Headers = {}) =>
  request(insights.url).get('/console/oidc/start').query({ return_to: returnTo }).set(headers)
const finish = (callback: URL, cookie: string) =>
  request(insights.url)
    .get(callback.pathname + callback.search)
    .set({ cookie })

/** Signs in at the provider with an account. Returns the callback, and the cookie of the browser. */
async function toCallback(subject: string, change: (url: URL) => void = () => {}): Promise<{ callback: URL; cookie: string }> {
  const started = await start().expect(303)
  const url = new URL(started.headers.location ?? '')
  change(url)
  return { callback: await provider.signIn(url.href, subject), cookie: cookiesOf(started) }
}

async function signIn(subject: string): Promise<Answer> {
  const { callback, cookie } = await toCallback(subject)
  return await finish(callback, cookie)
}

async function signedIn(subject: string): Promise<Headers> {
  const answer = await signIn(subject)
  expect([answer.status, answer.text]).toEqual([303, ''])
  return { ...HEADER, cookie: cookiesOf(answer) }
}

const send = (method: 'get' | 'post' | 'delete', path: string, headers: Headers) =>
  request(insights.url)[method](`${API}${path}`).set(headers)

async function addMember(email: string, role = 'viewer'): Promise<string> {
  const { body } = await insights.admin.post(`/admin/workspaces/${workspace.id}/members`, { email, role }).expect(200)
  return body.person_id
}
const removeMember = (id: string) => insights.admin.delete(`/admin/workspaces/${workspace.id}/members/${id}`).expect(200)

const verified = (email: string) => ({ email, email_verified: true })

let people = 0
/** A member of the workspace with an account of the provider. */
async function member(role?: string): Promise<{ email: string; subject: string; id: string }> {
  const name = `person-${++people}`
  const email = `${name}@example.com`
  const id = await addMember(email, role)
  await provider.setAccount(name, verified(email))
  return { email, subject: name, id }
}

function expectPage(answer: Answer, status: number, text: string): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  expect(answer.text).toContain(text)
  expect(answer.text).toContain(`href="${PUBLIC_URL}/console/sign-in"`)
  expect(answer.headers['content-security-policy']).toContain(`default-src 'none'`)
  expect(setCookies(answer).filter((each) => /onward-(session|access)/.test(each))).toEqual([])
}

async function audited(email: string) {
  const { body } = await insights.admin.get('/admin/audit?action=session.begin').expect(200)
  return body.entries.filter((entry: { target: { email?: string } }) => entry.target.email === email)
}

describe('a sign-in with an OpenID provider', () => {
  it('asks the provider for a code with PKCE, state and nonce, in a cookie for this browser that lasts ten minutes', async () => {
    const answer = await start().expect(303)
    const { origin, pathname, searchParams } = new URL(answer.headers.location ?? '')
    expect(origin + pathname).toBe(`${provider.url}/auth`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'onward',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const [cookie = '', ...others] = setCookies(answer)
    expect(others).toEqual([])
    expect(cookie.replace(/=[^;]+;/, '=…;').replace(/Expires=[^;]+/, 'Expires=…')).toBe(
      '__Host-onward-sign-in=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax',
    )
    const minutes = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10)
    expect(cookie).not.toContain(searchParams.get('state') ?? '')
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('begins a session like that of a link, and returns to the page where the person was', async () => {
    const { email, subject, id } = await member('developer')
    const answer = await signIn(subject)
    expect([answer.status, answer.headers.location]).toEqual([303, `${PUBLIC_URL}/console/w/acme/calls`])
    expect(setCookies(answer).map((each) => each.replace(/^([\w-]+)=[^;]+;/, '$1=…;').replace(/Expires=[^;]+/, 'Expires=…'))).toEqual([
      '__Host-onward-sign-in=; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax',
      '__Host-onward-session=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Strict',
      '__Host-onward-access=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Strict',
    ])
    const as = { ...HEADER, cookie: cookiesOf(answer) }
    const { body } = await send('get', '/admin/session', as).expect(200)
    expect(body).toMatchObject({ person: { email }, operator: false, workspaces: [{ workspace_id: workspace.id, role: 'developer' }] })
    expect(Date.parse(body.session.expires_at)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const { body: listed } = await send('get', '/admin/sessions', as).expect(200)
    expect(listed.sessions).toMatchObject([{ kind: 'browser', method: 'oidc', workspace_id: null, current: true }])
    expect(await audited(email)).toMatchObject([
      { outcome: 'done', target: { method: 'oidc', subject }, after: { person_id: id, method: 'oidc', session_id: listed.sessions[0].id } },
    ])
  })

  it('shows all workspaces of the person with the roles of this moment, and ends when the last membership ends', async () => {
    const { subject, id, email } = await member('owner')
    const first = workspace.id
    workspace = await insights.workspace()
    await addMember(email, 'viewer')
    const as = await signedIn(subject)
    const { body } = await send('get', '/admin/session', as).expect(200)
    expect(body.workspaces).toMatchObject([
      { workspace_id: first, role: 'owner' },
      { workspace_id: workspace.id, role: 'viewer' },
    ])
    await removeMember(id)
    const renewed = await send('post', '/admin/session/renew', as).expect(200)
    const { body: after } = await send('get', '/admin/session', { ...HEADER, cookie: cookiesOf(renewed) }).expect(200)
    expect(after.workspaces).toMatchObject([{ workspace_id: first, role: 'owner' }])
  })

  it('ends only the own session when the person signs out: the provider does not ask again', async () => {
    const { subject } = await member()
    const as = await signedIn(subject)
    await send('post', '/admin/session/sign-out', as).expect(200)
    await send('post', '/admin/session/renew', as).expect(401)
    await signedIn(subject)
  })

  it('makes operators operators', async () => {
    await insights.admin.post('/admin/sign-in-links', { email: 'root@example.com', operator: true }).expect(200)
    await provider.setAccount('root', verified('Root@Example.com'))
    const { body } = await send('get', '/admin/session', await signedIn('root')).expect(200)
    expect(body).toMatchObject({ operator: true, person: { email: 'root@example.com' } })
  })
})

describe('who may sign in', () => {
  it('is nobody whom no owner has invited, and the page says whom to ask', async () => {
    await provider.setAccount('stranger', verified('stranger@example.com'))
    const answer = await signIn('stranger')
    expectPage(answer, 403, 'stranger@example.com')
    expect(answer.text).toContain('Ask an owner of your workspace to invite this e-mail address')
    expect(await audited('stranger@example.com')).toMatchObject([{ outcome: 'refused', code: 'role_required' }])
    const { rows } = await sql`select from person where email = 'stranger@example.com'`.execute(insights.db)
    expect(rows).toEqual([])
  })

  it.each([
    ['says that it is not verified', { email_verified: false }],
    ['says nothing', {}],
    ['says that the domain of the address is not verified', { xms_edov: false }],
    ['contradicts itself', { email_verified: false, xms_edov: true }],
  ])('is nobody whose e-mail address is not verified: the provider %s', async (_what, claims) => {
    const { email, subject } = await member()
    await provider.setAccount(subject, { email, ...claims })
    expectPage(await signIn(subject), 403, 'Your e-mail address is not verified')
  })

  it.each([
    ['as text', { email_verified: 'true' }],
    ['by the domain of the address', { xms_edov: true }],
  ])('includes people whose address is verified %s, as some providers write it', async (_what, claims) => {
    const { email, subject } = await member()
    await provider.setAccount(subject, { email, ...claims })
    await signedIn(subject)
  })

  it('does not change with the e-mail address: the account decides after the first sign-in', async () => {
    const ann = await member('viewer')
    const boss = await member('owner')
    await signedIn(ann.subject)
    await provider.setAccount(ann.subject, verified(boss.email))
    const { body } = await send('get', '/admin/session', await signedIn(ann.subject)).expect(200)
    expect(body).toMatchObject({ person: { id: ann.id, email: ann.email }, workspaces: [{ role: 'viewer' }] })
    // Later sign-ins do not need the address at all.
    await provider.setAccount(ann.subject, {})
    await signedIn(ann.subject)
  })

  it('is nobody who got the e-mail address of somebody else later, until an owner invites the person again', async () => {
    const before = await member('owner')
    await addMember('another-owner@example.com', 'owner')
    await signedIn(before.subject)
    await provider.setAccount('successor', verified(before.email))
    expectPage(await signIn('successor'), 403, 'in use by another account')
    await removeMember(before.id)
    expectPage(await signIn(before.subject), 403, 'You have no access')
    await addMember(before.email, 'viewer')
    const { body } = await send('get', '/admin/session', await signedIn('successor')).expect(200)
    expect(body.workspaces).toMatchObject([{ role: 'viewer' }])
    expectPage(await signIn(before.subject), 403, 'in use by another account')
  })

  it('is not held by a workspace that was deleted: a removed person can come back with another account', async () => {
    const deleted = await insights.workspace()
    const { id, email, subject } = await member()
    await insights.admin.post(`/admin/workspaces/${deleted.id}/members`, { email, role: 'viewer' }).expect(200)
    await signedIn(subject)
    await insights.admin.delete(`/admin/applications/${deleted.appKey}`).expect(200)
    await insights.admin.delete(`/admin/workspaces/${deleted.id}`).expect(200)
    await removeMember(id)
    await addMember(email)
    await provider.setAccount('returned', verified(email))
    await signedIn('returned')
  })

  it('is an operator with a new account only after losing the role and getting it again', async () => {
    const setOperator = (operator: boolean) =>
      insights.admin.post('/admin/sign-in-links', { email: 'chief@example.com', operator }).expect(200)
    await setOperator(true)
    await provider.setAccount('chief-1', verified('chief@example.com'))
    await provider.setAccount('chief-2', verified('chief@example.com'))
    await signedIn('chief-1')
    expectPage(await signIn('chief-2'), 403, 'in use by another account')
    await setOperator(false)
    await setOperator(true)
    await signedIn('chief-2')
    expectPage(await signIn('chief-1'), 403, 'in use by another account')
  })

  it('is nobody whose address only looks like that of a member', async () => {
    await addMember('kim@example.com')
    await provider.setAccount('kelvin', verified('\u212aim@example.com'))
    expectPage(await signIn('kelvin'), 403, 'You have no access')
  })

  it('is decided once when two sign-ins of an account arrive together', async () => {
    const { subject } = await member()
    const both = [await toCallback(subject), await toCallback(subject)]
    const answers = await Promise.all(both.map(({ callback, cookie }) => finish(callback, cookie)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
  })
})

describe('a callback', () => {
  const STALE = 'This sign-in cannot be completed'
  const WRONG = 'This sign-in could not be verified'

  it('is refused with a wrong state, and then the sign-in of this browser can still be completed', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    const forged = new URL(callback)
    forged.searchParams.set('state', 'x'.repeat(43))
    const refused = await finish(forged, cookie)
    expectPage(refused, 400, STALE)
    expect(setCookies(refused)).toEqual([])
    await finish(callback, cookie).expect(303)
  })

  it('is refused in another browser, so that an attacker cannot sign a visitor in with a different account', async () => {
    const { subject } = await member()
    const attacker = await toCallback(subject)
    expectPage(await finish(attacker.callback, ''), 400, STALE)
    expectPage(await finish(attacker.callback, cookiesOf(await start())), 400, STALE)
  })

  it('is refused with a cookie that was changed or is ten minutes old', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    expectPage(await finish(callback, `${cookie.slice(0, -3)}AAA`), 400, STALE)
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 10 * 60_000 + 1)
    const late = await finish(callback, cookie)
    now.mockRestore()
    expectPage(late, 400, STALE)
  })

  it('is refused when its code is used again', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    await finish(callback, cookie).expect(303)
    // The browser has no cookie any more. Somebody who copied it before cannot use it either.
    expectPage(await finish(callback, ''), 400, STALE)
    expectPage(await finish(callback, cookie), 400, WRONG)
  })

  it('is refused with the code of another sign-in', async () => {
    const { subject } = await member()
    const [own, other] = [await toCallback(subject), await toCallback(subject)]
    own.callback.searchParams.set('code', other.callback.searchParams.get('code') ?? '')
    expectPage(await finish(own.callback, own.cookie), 400, WRONG)
  })

  it('is refused when the ID token has another nonce', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject, ({ searchParams }) => searchParams.set('nonce', 'another'))
    expectPage(await finish(callback, cookie), 400, WRONG)
  })

  it.each([
    ['comes from another issuer', (callback: URL) => callback.searchParams.set('iss', 'https://attacker.example')],
    ['does not name its issuer, although the provider always does', (callback: URL) => callback.searchParams.delete('iss')],
  ])('is refused when it %s', async (_what, change) => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    change(callback)
    expectPage(await finish(callback, cookie), 400, WRONG)
  })

  it('is refused when the signature of the ID token is wrong', async () => {
    const { subject } = await member()
    await provider.setFaults({ signature: true })
    const { callback, cookie } = await toCallback(subject)
    const answer = await finish(callback, cookie)
    await provider.setFaults({})
    expectPage(answer, 400, WRONG)
  })

  it('says so when the person cancels at the provider', async () => {
    expectPage(await signIn(''), 403, 'Your provider did not sign you in')
  })

  it('shows nothing of what another site wrote into its address', async () => {
    const { callback, cookie } = await toCallback('')
    callback.searchParams.set('error', '<script>alert(1)</script>')
    callback.searchParams.set('error_description', 'call 555-0100')
    const { text } = await finish(callback, cookie)
    expect(text).not.toMatch(/alert|555/)
  })
})

describe('the page after a sign-in', () => {
  it.each([
    ['/', '/'],
    ['/w/acme/calls?status=failed&app_key=a%2Fb', '/w/acme/calls?status=failed&app_key=a%2Fb'],
    ['/sign-in', '/'],
    ['//attacker.example', '/'],
    ['/\\attacker.example', '/'],
    ['https://attacker.example', '/'],
    ['/..//attacker.example', '/'],
    ['/%2e%2e/%2e%2e/connect/x', '/'],
    ['/api/insights/admin/session', '/'],
    ['/oidc/start', '/'],
    ['/w/a\r\nset-cookie: x=1', '/'],
    ['@attacker.example', '/'],
    [`/${'x'.repeat(1_000)}`, '/'],
  ])('is for %j the page %j of the console', (given, expected) => {
    expect(returnPath(given)).toBe(expected)
  })

  it.each([
    ['/w/acme/users?search=a%2Fb', '/w/acme/users?search=a%2Fb'],
    ['//attacker.example', '/'],
  ])('is fixed when the sign-in begins: %j leads to %j', async (given, expected) => {
    const { subject } = await member()
    const started = await start(given).expect(303)
    const callback = await provider.signIn(started.headers.location ?? '', subject)
    callback.searchParams.set('return_to', 'https://attacker.example')
    const { headers } = await finish(callback, cookiesOf(started)).expect(303)
    expect(headers.location).toBe(`${PUBLIC_URL}/console${expected}`)
  })
})

describe('the beginning of a sign-in', () => {
  it.each(['cross-site', 'same-site'])('leads to the sign-in page when a %s page links to it', async (site) => {
    const answer = await start('/w/acme', { 'sec-fetch-site': site }).expect(303)
    expect(answer.headers.location).toBe(`${PUBLIC_URL}/console/sign-in`)
    expect(setCookies(answer)).toEqual([])
    for (const own of ['same-origin', 'none']) {
      const { headers } = await start('/w/acme', { 'sec-fetch-site': own }).expect(303)
      expect(headers.location).toContain(provider.url)
    }
  })

  it('answers with a page for a path that does not exist', async () => {
    expectPage(await request(insights.url).get('/console/oidc/other'), 404, 'There is nothing here')
  })
})

describe('the settings of single sign-on', () => {
  it('show only the text of the button to anyone', async () => {
    const { body } = await send('get', '/admin/session/methods', HEADER).expect(200)
    expect(body).toEqual({ single_sign_on: { label: 'Sign in with Acme' } })
  })

  it('show the provider to owners and operators, without the secret', async () => {
    const shown = {
      redirect_uri: CALLBACK,
      provider: { issuer: provider.url, client_id: 'onward', label: 'Sign in with Acme' },
    }
    const path = `/admin/single-sign-on?workspace_id=${workspace.id}`
    const { body } = await send('get', path, await signedIn((await member('owner')).subject)).expect(200)
    expect(body).toEqual(shown)
    await send('get', path, await signedIn((await member('developer')).subject)).expect(403)
    expect((await insights.admin.get('/admin/single-sign-on').expect(200)).body).toEqual(shown)
  })
})

describe('a provider that is out of order', () => {
  const DOWN = 'Your provider does not answer'

  it('is answered with a page that says so', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    await provider.setFaults({ status: 503 })
    const answer = await finish(callback, cookie)
    await provider.setFaults({})
    expectPage(answer, 503, DOWN)
    expect(answer.headers['retry-after']).toBe('60')
  })

  it('prevents neither the start of the service nor one-time links, and is asked again by the next sign-in', async () => {
    const late = await openOpenIdProvider(CALLBACK)
    await late.setFaults({ status: 500 })
    const other = await openInsights({ env: { PUBLIC_URL, ...late.env } })
    try {
      const begin = () => request(other.url).get('/console/oidc/start')
      expectPage(await begin(), 503, DOWN)
      const { body } = await other.admin.post('/admin/sign-in-links', { email: 'op@example.com', operator: true }).expect(200)
      const code = new URL(body.url).hash.replace('#code=', '')
      const { headers } = await request(other.url).post(`${API}/admin/session/redeem`).set(HEADER).send({ code }).expect(200)
      expect(String(headers['set-cookie'])).toContain('__Host-onward-session=')
      await late.setFaults({})
      await begin().expect(303)
      await late.close()
      // Its addresses are known by now, so only the callback fails.
      await begin().expect(303)
    } finally {
      await other.close()
      await late.close()
    }
  })

  it('is not the fault of the person when the provider has the name of another issuer', async () => {
    const other = await openInsights({ env: { PUBLIC_URL, ...provider.env, OIDC_ISSUER: provider.url.replace('127.0.0.1', 'localhost') } })
    try {
      expectPage(await request(other.url).get('/console/oidc/start'), 500, 'Single sign-on is not set up correctly')
    } finally {
      await other.close()
    }
  })

  it('is not the fault of the person when the client secret is wrong', async () => {
    const { subject } = await member()
    const other = await openInsights({ env: { PUBLIC_URL, ...provider.env, OIDC_CLIENT_SECRET: 'wrong' } })
    try {
      const started = await request(other.url).get('/console/oidc/start').expect(303)
      const { pathname, search } = await provider.signIn(started.headers.location ?? '', subject)
      const answer = await request(other.url)
        .get(pathname + search)
        .set({ cookie: cookiesOf(started) })
      expectPage(answer, 500, 'Single sign-on is not set up correctly')
    } finally {
      await other.close()
    }
  })
})

it('without a provider, the sign-in page offers links only', async () => {
  const other = await openInsights({ env: { PUBLIC_URL } })
  try {
    const { body } = await request(other.url).get(`${API}/admin/session/methods`).set(HEADER).expect(200)
    expect(body).toEqual({ single_sign_on: null })
    expect((await other.admin.get('/admin/single-sign-on').expect(200)).body).toEqual({ redirect_uri: CALLBACK, provider: null })
    expectPage(await request(other.url).get('/console/oidc/start'), 404, 'Single sign-on is not set up')
  } finally {
    await other.close()
  }
})

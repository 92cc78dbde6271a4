import request from 'supertest'
import { returnPath } from '../src/routes/return-path.ts'
import { openInsights } from './insights.ts'
import { API, CALLBACK, cookiesOf, expectPage, HEADER, PUBLIC_URL, setCookies, useSingleSignOn, verified } from './use-single-sign-on.ts'

const onward = useSingleSignOn()
const { start, finish, signIn, signedIn, send, addMember, removeMember, member, audited } = onward

describe('a sign-in with an OpenID provider', () => {
  it('asks the provider for a code with PKCE, state and nonce, in a cookie for this browser that lasts ten minutes', async () => {
    const response = await start().expect(303)
    const { origin, pathname, searchParams } = new URL(response.headers.location ?? '')
    expect(origin + pathname).toBe(`${onward.provider.url}/auth`)
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
    const [cookie = '', ...others] = setCookies(response)
    expect(others).toEqual([])
    expect(cookie.replace(/=[^;]+;/, '=…;').replace(/Expires=[^;]+/, 'Expires=…')).toBe(
      '__Host-onward-sign-in=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax',
    )
    const minutes = (Date.parse(/Expires=([^;]+)/.exec(cookie)?.[1] ?? '') - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10)
    expect(cookie).not.toContain(searchParams.get('state') ?? '')
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('begins a session like that of a link, and returns to the page where the person was', async () => {
    const { email, subject, id } = await member('developer')
    const response = await signIn(subject)
    expect([response.status, response.headers.location]).toEqual([303, `${PUBLIC_URL}/console/w/acme/calls`])
    expect(setCookies(response).map((each) => each.replace(/^([\w-]+)=[^;]+;/, '$1=…;').replace(/Expires=[^;]+/, 'Expires=…'))).toEqual([
      '__Host-onward-sign-in=; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax',
      '__Host-onward-session=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Strict',
      '__Host-onward-access=…; Path=/; Expires=…; HttpOnly; Secure; SameSite=Strict',
    ])
    const as = { ...HEADER, cookie: cookiesOf(response) }
    const { body } = await send('get', '/admin/session', as).expect(200)
    expect(body).toMatchObject({
      person: { email },
      operator: false,
      workspaces: [{ workspace_id: onward.workspace.id, role: 'developer' }],
    })
    expect(Date.parse(body.session.expires_at)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const { body: listed } = await send('get', '/admin/sessions', as).expect(200)
    expect(listed.sessions).toMatchObject([{ kind: 'browser', method: 'oidc', workspace_id: null, current: true }])
    expect(await audited(email)).toMatchObject([
      { outcome: 'done', target: { method: 'oidc', subject }, after: { person_id: id, method: 'oidc', session_id: listed.sessions[0].id } },
    ])
  })

  it('shows all workspaces of the person with the roles of this moment, and ends when the last membership ends', async () => {
    const { subject, id, email } = await member('owner')
    const first = onward.workspace.id
    await onward.newWorkspace()
    await addMember(email, 'viewer')
    const as = await signedIn(subject)
    const { body } = await send('get', '/admin/session', as).expect(200)
    expect(body.workspaces).toMatchObject([
      { workspace_id: first, role: 'owner' },
      { workspace_id: onward.workspace.id, role: 'viewer' },
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

  it('ends the session that the browser had when it began, although the callback comes without its cookie', async () => {
    const [first, second] = [await member(), await member()]
    const before = await signedIn(first.subject)
    const started = await start('/', before).expect(303)
    await finish(await onward.provider.signIn(started.headers.location ?? '', second.subject), cookiesOf(started)).expect(303)
    await send('post', '/admin/session/renew', before).expect(401)
  })

  it('makes operators operators', async () => {
    await onward.insights.admin.post('/admin/sign-in-links', { email: 'root@example.com', operator: true }).expect(200)
    await onward.provider.setAccount('root', verified('Root@Example.com'))
    const { body } = await send('get', '/admin/session', await signedIn('root')).expect(200)
    expect(body).toMatchObject({ operator: true, person: { email: 'root@example.com' } })
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
    const callback = await onward.provider.signIn(started.headers.location ?? '', subject)
    callback.searchParams.set('return_to', 'https://attacker.example')
    const { headers } = await finish(callback, cookiesOf(started)).expect(303)
    expect(headers.location).toBe(`${PUBLIC_URL}/console${expected}`)
  })
})

describe('the beginning of a sign-in', () => {
  it.each(['cross-site', 'same-site'])('leads to the sign-in page when a %s page links to it', async (site) => {
    const response = await start('/w/acme', { 'sec-fetch-site': site }).expect(303)
    expect(response.headers.location).toBe(`${PUBLIC_URL}/console/sign-in`)
    expect(setCookies(response)).toEqual([])
    for (const own of ['same-origin', 'none']) {
      const { headers } = await start('/w/acme', { 'sec-fetch-site': own }).expect(303)
      expect(headers.location).toContain(onward.provider.url)
    }
  })

  it('counts against the limit of its address', async () => {
    expect((await start().expect(303)).headers['ratelimit-policy']).toBe('"address";q=600;w=60')
  })

  it('answers with a page for a path that does not exist', async () => {
    expectPage(await request(onward.insights.url).get('/console/oidc/other'), 404, 'There is nothing here')
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
      provider: { issuer: onward.provider.url, client_id: 'onward', label: 'Sign in with Acme' },
    }
    const path = `/admin/single-sign-on?workspace_id=${onward.workspace.id}`
    const { body } = await send('get', path, await signedIn((await member('owner')).subject)).expect(200)
    expect(body).toEqual(shown)
    await send('get', path, await signedIn((await member('developer')).subject)).expect(403)
    expect((await onward.insights.admin.get('/admin/single-sign-on').expect(200)).body).toEqual(shown)
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

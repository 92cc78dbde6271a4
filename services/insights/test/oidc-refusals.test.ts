import { openOpenIdProvider } from '@onward/testbed'
import request from 'supertest'
import { openInsights } from './insights.ts'
import { API, CALLBACK, cookiesOf, expectPage, HEADER, PUBLIC_URL, setCookies, useSingleSignOn, verified } from './use-single-sign-on.ts'

const onward = useSingleSignOn()
const { start, finish, toCallback, signIn, member } = onward

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

  it('is refused when the e-mail address or the subject has a character that cannot be stored', async () => {
    const { subject, email } = await member()
    for (const [id, address] of [
      [subject, `\0${email}`],
      [subject, `\ud800${email}`],
      [`${subject}\0`, email],
    ] as const) {
      await onward.provider.setAccount(id, verified(address))
      expectPage(await signIn(id), 400, WRONG)
    }
  })

  it('is refused when the signature of the ID token is wrong', async () => {
    const { subject } = await member()
    await onward.provider.setFaults({ signature: true })
    const { callback, cookie } = await toCallback(subject)
    const response = await finish(callback, cookie)
    await onward.provider.setFaults({})
    expectPage(response, 400, WRONG)
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

describe('a provider that is out of order', () => {
  const DOWN = 'Your provider does not answer'

  it('is answered with a page that says so', async () => {
    const { subject } = await member()
    const { callback, cookie } = await toCallback(subject)
    await onward.provider.setFaults({ status: 503 })
    const response = await finish(callback, cookie)
    await onward.provider.setFaults({})
    expectPage(response, 503, DOWN)
    expect(response.headers['retry-after']).toBe('60')
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
    const other = await openInsights({
      env: { PUBLIC_URL, ...onward.provider.env, OIDC_ISSUER: onward.provider.url.replace('127.0.0.1', 'localhost') },
    })
    try {
      expectPage(await request(other.url).get('/console/oidc/start'), 500, 'Single sign-on is not set up correctly')
    } finally {
      await other.close()
    }
  })

  it('is not the fault of the person when the client secret is wrong', async () => {
    const { subject } = await member()
    const other = await openInsights({ env: { PUBLIC_URL, ...onward.provider.env, OIDC_CLIENT_SECRET: 'wrong' } })
    try {
      const started = await request(other.url).get('/console/oidc/start').expect(303)
      const { pathname, search } = await onward.provider.signIn(started.headers.location ?? '', subject)
      const response = await request(other.url)
        .get(pathname + search)
        .set({ cookie: cookiesOf(started) })
      expectPage(response, 500, 'Single sign-on is not set up correctly')
    } finally {
      await other.close()
    }
  })
})

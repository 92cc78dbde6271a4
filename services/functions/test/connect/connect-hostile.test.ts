import { openSealer } from '@onward/runtime'
import request from 'supertest'
import { LINK_MS, openLoginLink, sealLoginLink } from '../../src/connect/login-link.ts'
import {
  accountsOf,
  actionOf,
  expectNoAccounts,
  headingOf,
  loginUrlOf,
  openBrowser,
  respondAsShelf,
  sessionOf,
  useShelf,
} from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()

const sealer = () => openSealer(onward.config.sealingKeys)
const linkFor = (userId: string, expiresAt = new Date(Date.now() + LINK_MS), app = 'shelf', appKey = 'app-1') =>
  `${onward.url}/connect/${sealLoginLink(sealer(), { appKey, userId, app, expiresAt })}`

describe('a login link', () => {
  it.each([
    ['changed in one character', (token: string) => token.slice(0, -9) + (token.at(-9) === 'A' ? 'B' : 'A') + token.slice(-8)],
    ['cut short', (token: string) => token.slice(0, -20)],
    ['invented', () => 'A'.repeat(200)],
    ['9,000 characters long', () => 'A'.repeat(9_000)],
    ['not base64', (token: string) => `${token}%00`],
    ['wrongly percent-encoded', (token: string) => `${token}%`],
    ['a path to another endpoint', () => '../../apps/list'],
    ['empty', () => ''],
  ])('opens nothing when it is %s', async (_what, change) => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    const at = url.lastIndexOf('/') + 1
    const { status, text, headers } = await request(onward.url).get(new URL(url.slice(0, at)).pathname + change(url.slice(at)))
    expect([400, 404]).toContain(status)
    if (change('x') === '../../apps/list') return
    expect(text).toMatch(/^<!doctype html>/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('is refused when it was sealed for another purpose or with another key', async () => {
    const other = sealer().seal(JSON.stringify(['app-1', 'joe', 'shelf', Date.now() + 60_000]), 'application/app-1')
    expect(openLoginLink(sealer(), other.toString('base64url'))).toBeUndefined()
    const otherSealer = openSealer([{ id: 'test', key: Buffer.alloc(32, 8) }])
    const link = { appKey: 'app-1', userId: 'joe', app: 'shelf', expiresAt: new Date() }
    expect(openLoginLink(sealer(), sealLoginLink(otherSealer, link))).toBeUndefined()
  })

  it('expires after thirty minutes', async () => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    const link = openLoginLink(sealer(), url.split('/').at(-1) ?? '')
    const left = (link?.expiresAt.getTime() ?? 0) - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(LINK_MS)
    const expired = await openBrowser().open(linkFor('joe', new Date(Date.now() - 1)))
    expect([expired.status, headingOf(expired)]).toEqual([410, 'This link has expired'])
  })

  it('answers 404 when its app or application no longer exists', async () => {
    expect((await openBrowser().open(linkFor('joe', undefined, 'gone'))).status).toBe(404)
    expect((await openBrowser().open(linkFor('joe', undefined, 'clock'))).status).toBe(404)
    expect((await openBrowser().open(linkFor('joe', undefined, 'shelf', 'gone'))).status).toBe(404)
  })
})

describe('a connect session', () => {
  it('continues only in the browser that started it', async () => {
    const { page } = await openShelf('victim')
    const other = openBrowser()
    await other.open(await loginUrlOf(onward.user('mallory'), 'shelf'))
    for (const browser of [other, openBrowser()]) {
      const refused = await browser.submit(page, shelf())
      expect([refused.status, headingOf(refused)]).toEqual([403, 'This was started in another browser'])
    }
    await expectNoAccounts(onward, 'victim', 'mallory')
  })

  it('is refused with a link that did not start it', async () => {
    const victim = await openShelf('victim')
    const mallorys = linkFor('mallory')
    const refused = await victim.browser.submit(
      { ...victim.page, text: victim.page.text.replaceAll(victim.url, mallorys) } as never,
      shelf(),
    )
    expect([refused.status, headingOf(refused)]).toEqual([403, 'This page does not belong to this link'])
    await expectNoAccounts(onward, 'victim', 'mallory')
  })

  it('is required: a form without a valid session is refused with 400', async () => {
    const { browser, page } = await openShelf('victim')
    for (const session of ['', 'none', 'A'.repeat(43), `${sessionOf(page)}A`]) {
      const refused = await browser.submit(page, { ...shelf(), _session: session })
      expect([refused.status, headingOf(refused)]).toEqual([400, 'This page cannot continue'])
    }
    await expectNoAccounts(onward, 'victim')
  })

  it('can be used only once', async () => {
    const { browser, page } = await openShelf('once')
    await browser.submit(page, shelf())
    const asked = onward.third.received.length
    const again = await browser.submit(page, shelf())
    expect(onward.third.received).toHaveLength(asked)
    expect([again.status, headingOf(again)]).toEqual([410, 'This link has been used'])
    const raced = await openShelf('raced')
    respondAsShelf(onward, { id: undefined, email: 'x@example.com' })
    const ends = await Promise.all(Array.from({ length: 5 }, () => raced.browser.submit(raced.page, shelf())))
    expect(ends.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410, 410, 410])
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === 'raced')).toHaveLength(1)
  })

  it('expires after fifteen minutes', async () => {
    const { browser, page } = await openShelf('late')
    const [row] = await onward.db.selectFrom('connect_session').selectAll().where('user_id', '=', 'late').execute()
    const left = (row?.expires_at.getTime() ?? 0) - Date.now()
    expect(Math.abs(left - 15 * 60_000)).toBeLessThan(60_000)
    await onward.db.updateTable('connect_session').set({ expires_at: new Date() }).where('user_id', '=', 'late').execute()
    const refused = await browser.submit(page, shelf())
    expect([refused.status, headingOf(refused)]).toEqual([410, 'This page has expired'])
    await expectNoAccounts(onward, 'late')
  })

  it('is stored only as hashes, and is deleted an hour after it expires', async () => {
    const { browser, page } = await openShelf('hashed')
    const rows = await onward.db.selectFrom('connect_session').selectAll().execute()
    const stored = JSON.stringify(
      rows.map((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))),
    )
    for (const secret of [sessionOf(page), ...browser.cookies.values()]) expect(stored).not.toContain(secret)
    const old = new Date(Date.now() - 3_700_000)
    await onward.db.updateTable('connect_session').set({ expires_at: old }).where('user_id', '=', 'hashed').execute()
    await openShelf('sweeper')
    expect(await onward.db.selectFrom('connect_session').selectAll().where('user_id', '=', 'hashed').execute()).toEqual([])
  })

  it('does not disturb the session of another window of the same browser', async () => {
    const browser = openBrowser()
    const pages = [await browser.open(linkFor('tabs')), await browser.open(`${linkFor('tabs', undefined, 'vault')}?scheme=api_key`)]
    expect(browser.cookies.size).toBe(1)
    for (const page of pages) expect((await browser.submit(page, { ...shelf() })).status).toBe(200)
  })
})

describe('a form submission', () => {
  it.each<[number, Record<string, string>]>([
    [403, { origin: 'https://evil.example' }],
    [403, { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
    [403, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [403, { 'sec-fetch-site': 'none' }],
    [400, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    [400, { origin: 'null' }],
    [400, {}],
  ])('is answered %i when the browser sends the headers %j', async (status, headers) => {
    const { browser, page } = await openShelf('sited')
    expect((await browser.submit(page, { api_key: '' }, headers)).status).toBe(status)
  })

  it('is accepted from our own origin', async () => {
    const { browser, page } = await openShelf('own')
    expect((await browser.submit(page, { api_key: '' }, { origin: onward.url })).status).toBe(400)
  })
})

describe('untrusted text', () => {
  const nasty = `"><script>alert(1)</script>'&`

  it('is escaped in names, titles and form fields', async () => {
    respondAsShelf(onward, { id: 1, email: nasty })
    await onward.admin('put', '/admin/applications/app-x', { workspace_id: 'workspace-1', name: nasty }).expect(200)
    const user = onward.user(nasty, await rotated('app-x'))
    const browser = openBrowser()
    const page = await browser.open(await loginUrlOf(user, 'shelf'))
    const wrong = await browser.submit(page, { api_key: '', url: nasty })
    const end = await browser.submit(page, shelf())
    expect([page.status, wrong.status, end.status]).toEqual([200, 400, 200])
    for (const { text } of [page, wrong, end]) {
      expect(text).not.toContain('<script>alert')
      expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;')
    }
  })

  it('is not repeated on the page when it comes from the URL', async () => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    for (const path of [
      `${url}?scheme=${encodeURIComponent(nasty)}`,
      `${url}?redirect_uri=${encodeURIComponent(nasty)}`,
      `${onward.url}/connect/callback?state=${encodeURIComponent(nasty)}&error=${encodeURIComponent(nasty)}`,
      `${onward.url}/connect/x/${encodeURIComponent(nasty)}`,
    ]) {
      expect((await openBrowser().open(path)).text).not.toContain('alert(1)')
    }
  })

  async function rotated(appKey: string) {
    const { body } = await onward.admin('post', `/admin/applications/${appKey}/rotate-secret`, {}).expect(200)
    return { appKey, secret: body.app_secret as string }
  }
})

describe('the body of a form submission', () => {
  it('is refused when it is larger than 64 KiB or not a form', async () => {
    const { browser, page } = await openShelf('large')
    expect((await browser.submit(page, { ...shelf(), api_key: 'k'.repeat(66_000) })).status).toBe(413)
    expect((await browser.submit(page, { ...shelf(), api_key: 'k'.repeat(60_000) })).status).toBe(400)
    const path = new URL(actionOf(page)).pathname
    const json = await request(onward.url)
      .post(path)
      .send({ _session: sessionOf(page), ...shelf() })
    expect([json.status, json.type]).toEqual([415, 'text/html'])
    const text = await request(onward.url).post(path).type('text/plain').send('x')
    expect([text.status, text.type]).toEqual([415, 'text/html'])
    await expectNoAccounts(onward, 'large')
  })

  it('is refused with 400 when it contains a NUL character', async () => {
    const { browser, page } = await openShelf('nul')
    expect((await browser.submit(page, { ...shelf(), api_key: 'a\u0000b' })).status).toBe(400)
  })
})

describe('the connect pages', () => {
  it('carry strict security headers with a new nonce each time', async () => {
    const { browser, page } = await openShelf('headers')
    const end = await browser.submit(page, shelf())
    const problem = await openBrowser().open(`${onward.url}/connect/nothing`)
    const nonces = new Set<string>()
    for (const { headers, text } of [page, end, problem]) {
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'cross-origin-opener-policy': 'unsafe-none',
        'content-type': 'text/html; charset=utf-8',
      })
      const policy = headers['content-security-policy']
      const nonce = /style-src 'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? ''
      nonces.add(nonce)
      expect(policy).toBe(
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(text).toContain(`<style nonce="${nonce}">`)
    }
    expect(nonces.size).toBe(3)
  })

  it('are HTML below /connect, while all other paths answer JSON', async () => {
    for (const path of ['/connect', '/connect/', '/connect/x/y', '/connect/%']) {
      const { status, type } = await request(onward.url).get(path)
      expect([path, status === 404 || status === 400, type]).toEqual([path, true, 'text/html'])
    }
    expect((await request(onward.url).put('/connect/x')).type).toBe('text/html')
    expect((await request(onward.url).get('/connected-accounts/1')).type).toBe('application/json')
    expect((await request(onward.url).get('/connectx')).type).toBe('application/json')
  })
})

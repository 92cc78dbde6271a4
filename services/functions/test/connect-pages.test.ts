import request from 'supertest'
import { accountsOf, actionOf, beShelf, loginUrlOf, openBrowser, openConnecting, SHELF_KEY, sessionOf } from './connecting.ts'
import type { Functions } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openConnecting()
})
beforeEach(() => beShelf(onward))

const shelf = () => ({ api_key: SHELF_KEY, url: onward.third.url })
async function begin(userId: string) {
  const browser = openBrowser()
  const url = await loginUrlOf(onward.user(userId), 'shelf')
  return { browser, url, page: await browser.open(url) }
}

async function expectNothingOf(...userIds: string[]) {
  expect((await accountsOf(onward)).filter(({ user_id }) => userIds.includes(user_id))).toEqual([])
}

describe('a form of another site', () => {
  it.each<[number, Record<string, string>]>([
    [403, { origin: 'https://evil.example' }],
    [403, { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
    [403, { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    [403, { 'sec-fetch-site': 'same-site' }],
    [403, { 'sec-fetch-site': 'none' }],
    [400, { origin: 'null', 'sec-fetch-site': 'same-origin' }],
    [400, { origin: 'null' }],
    [400, {}],
  ])('is answered %i when the browser says %j', async (status, headers) => {
    const { browser, page } = await begin('sited')
    expect((await browser.submit(page, { api_key: '' }, headers)).status).toBe(status)
  })

  it('of ours passes by our origin', async () => {
    const { browser, page } = await begin('own')
    expect((await browser.submit(page, { api_key: '' }, { origin: onward.url })).status).toBe(400)
  })
})

describe('text of others', () => {
  const nasty = `"><script>alert(1)</script>'&`

  it('is never markup: names, titles, what was typed', async () => {
    beShelf(onward, { id: 1, email: nasty })
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

  it('in the address comes back nowhere', async () => {
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

describe('a body', () => {
  it('has at most 64 KiB, and is a form', async () => {
    const { browser, page } = await begin('large')
    expect((await browser.submit(page, { ...shelf(), api_key: 'k'.repeat(66_000) })).status).toBe(413)
    expect((await browser.submit(page, { ...shelf(), api_key: 'k'.repeat(60_000) })).status).toBe(400)
    const path = new URL(actionOf(page)).pathname
    const json = await request(onward.url)
      .post(path)
      .send({ _session: sessionOf(page), ...shelf() })
    expect([json.status, json.type]).toEqual([415, 'text/html'])
    const text = await request(onward.url).post(path).type('text/plain').send('x')
    expect([text.status, text.type]).toEqual([415, 'text/html'])
    await expectNothingOf('large')
  })

  it('holds no NUL for Postgres to choke on', async () => {
    const { browser, page } = await begin('nul')
    expect((await browser.submit(page, { ...shelf(), api_key: 'a\u0000b' })).status).toBe(400)
  })
})

describe('every page', () => {
  it('keeps itself to itself', async () => {
    const { browser, page } = await begin('headers')
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
        `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      )
      expect(text).toContain(`<style nonce="${nonce}">`)
    }
    expect(nonces.size).toBe(3)
  })

  it('is HTML under /connect and nowhere else', async () => {
    for (const path of ['/connect', '/connect/', '/connect/x/y', '/connect/%']) {
      const { status, type } = await request(onward.url).get(path)
      expect([path, status === 404 || status === 400, type]).toEqual([path, true, 'text/html'])
    }
    expect((await request(onward.url).put('/connect/x')).type).toBe('text/html')
    expect((await request(onward.url).get('/connected-accounts/1')).type).toBe('application/json')
    expect((await request(onward.url).get('/connectx')).type).toBe('application/json')
  })
})

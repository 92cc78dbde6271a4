import { openSealer } from '@onward/runtime'
import request from 'supertest'
import { LINK_MS, openLoginLink, sealLoginLink } from '../src/connect/login-link.ts'
import { accountsOf, beShelf, headingOf, loginUrlOf, openBrowser, openConnecting, SHELF_KEY, sessionOf } from './connecting.ts'
import type { Functions } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openConnecting()
})
beforeEach(() => beShelf(onward))

const shelf = () => ({ api_key: SHELF_KEY, url: onward.third.url })
const sealer = () => openSealer(onward.config.sealingKeys)
const linkFor = (userId: string, expiresAt = new Date(Date.now() + LINK_MS), app = 'shelf', appKey = 'app-1') =>
  `${onward.url}/connect/${sealLoginLink(sealer(), { appKey, userId, app, expiresAt })}`

async function begin(userId: string) {
  const browser = openBrowser()
  const url = await loginUrlOf(onward.user(userId), 'shelf')
  return { browser, url, page: await browser.open(url) }
}

async function expectNothingOf(...userIds: string[]) {
  expect((await accountsOf(onward)).filter(({ user_id }) => userIds.includes(user_id))).toEqual([])
}

describe('a link', () => {
  it.each([
    ['tampered with', (token: string) => token.slice(0, -9) + (token.at(-9) === 'A' ? 'B' : 'A') + token.slice(-8)],
    ['cut short', (token: string) => token.slice(0, -20)],
    ['made up', () => 'A'.repeat(200)],
    ['endless', () => 'A'.repeat(9_000)],
    ['not base64', (token: string) => `${token}%00`],
    ['escaped wrongly', (token: string) => `${token}%`],
    ['another path', () => '../../apps/list'],
    ['empty', () => ''],
  ])('that is %s opens nothing', async (_what, change) => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    const at = url.lastIndexOf('/') + 1
    const { status, text, headers } = await request(onward.url).get(new URL(url.slice(0, at)).pathname + change(url.slice(at)))
    expect([400, 404]).toContain(status)
    if (change('x') === '../../apps/list') return
    expect(text).toMatch(/^<!doctype html>/)
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('was sealed by us as a link, and as nothing else', async () => {
    const other = sealer().seal(JSON.stringify(['app-1', 'joe', 'shelf', Date.now() + 60_000]), 'application/app-1')
    expect(openLoginLink(sealer(), other.toString('base64url'))).toBeUndefined()
    const stranger = openSealer([{ id: 'test', key: Buffer.alloc(32, 8) }])
    const link = { appKey: 'app-1', userId: 'joe', app: 'shelf', expiresAt: new Date() }
    expect(openLoginLink(sealer(), sealLoginLink(stranger, link))).toBeUndefined()
  })

  it('holds for thirty minutes', async () => {
    const url = await loginUrlOf(onward.user('joe'), 'shelf')
    const link = openLoginLink(sealer(), url.split('/').at(-1) ?? '')
    const left = (link?.expiresAt.getTime() ?? 0) - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(LINK_MS)
    const expired = await openBrowser().open(linkFor('joe', new Date(Date.now() - 1)))
    expect([expired.status, headingOf(expired)]).toEqual([410, 'This link has expired'])
  })

  it('opens nothing once its app or application is gone', async () => {
    expect((await openBrowser().open(linkFor('joe', undefined, 'gone'))).status).toBe(404)
    expect((await openBrowser().open(linkFor('joe', undefined, 'clock'))).status).toBe(404)
    expect((await openBrowser().open(linkFor('joe', undefined, 'shelf', 'gone'))).status).toBe(404)
  })
})

describe('a session', () => {
  it('goes on only in the browser that it began in', async () => {
    const { page } = await begin('victim')
    const other = openBrowser()
    await other.open(await loginUrlOf(onward.user('mallory'), 'shelf'))
    for (const browser of [other, openBrowser()]) {
      const refused = await browser.submit(page, shelf())
      expect([refused.status, headingOf(refused)]).toEqual([403, 'This was started in another browser'])
    }
    await expectNothingOf('victim', 'mallory')
  })

  it('belongs to the link that it was opened with', async () => {
    const victim = await begin('victim')
    const mallorys = linkFor('mallory')
    const refused = await victim.browser.submit(
      { ...victim.page, text: victim.page.text.replaceAll(victim.url, mallorys) } as never,
      shelf(),
    )
    expect([refused.status, headingOf(refused)]).toEqual([403, 'This page does not belong to this link'])
    await expectNothingOf('victim', 'mallory')
  })

  it('is needed: a form without one, or with a made-up one, is refused', async () => {
    const { browser, page } = await begin('victim')
    for (const session of ['', 'none', 'A'.repeat(43), `${sessionOf(page)}A`]) {
      const refused = await browser.submit(page, { ...shelf(), _session: session })
      expect([refused.status, headingOf(refused)]).toEqual([400, 'This page cannot continue'])
    }
    await expectNothingOf('victim')
  })

  it('is used once', async () => {
    const { browser, page } = await begin('once')
    await browser.submit(page, shelf())
    const asked = onward.third.received.length
    const again = await browser.submit(page, shelf())
    expect(onward.third.received).toHaveLength(asked)
    expect([again.status, headingOf(again)]).toEqual([410, 'This link has been used'])
    const raced = await begin('raced')
    beShelf(onward, { id: undefined, email: 'x@example.com' })
    const ends = await Promise.all(Array.from({ length: 5 }, () => raced.browser.submit(raced.page, shelf())))
    expect(ends.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 410, 410, 410, 410])
    expect((await accountsOf(onward)).filter(({ user_id }) => user_id === 'raced')).toHaveLength(1)
  })

  it('ends after fifteen minutes', async () => {
    const { browser, page } = await begin('late')
    const [row] = await onward.db.selectFrom('connect_session').selectAll().where('user_id', '=', 'late').execute()
    const left = (row?.expires_at.getTime() ?? 0) - Date.now()
    expect(Math.abs(left - 15 * 60_000)).toBeLessThan(60_000)
    await onward.db.updateTable('connect_session').set({ expires_at: new Date() }).where('user_id', '=', 'late').execute()
    const refused = await browser.submit(page, shelf())
    expect([refused.status, headingOf(refused)]).toEqual([410, 'This page has expired'])
    await expectNothingOf('late')
  })

  it('is stored as hashes only, and forgotten an hour after its end', async () => {
    const { browser, page } = await begin('hashed')
    const rows = await onward.db.selectFrom('connect_session').selectAll().execute()
    const stored = JSON.stringify(
      rows.map((row) => Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value))),
    )
    for (const secret of [sessionOf(page), ...browser.cookies.values()]) expect(stored).not.toContain(secret)
    const old = new Date(Date.now() - 3_700_000)
    await onward.db.updateTable('connect_session').set({ expires_at: old }).where('user_id', '=', 'hashed').execute()
    await begin('sweeper')
    expect(await onward.db.selectFrom('connect_session').selectAll().where('user_id', '=', 'hashed').execute()).toEqual([])
  })

  it('leaves those of other windows of the browser be', async () => {
    const browser = openBrowser()
    const pages = [await browser.open(linkFor('tabs')), await browser.open(`${linkFor('tabs', undefined, 'vault')}?scheme=api_key`)]
    expect(browser.cookies.size).toBe(1)
    for (const page of pages) expect((await browser.submit(page, { ...shelf() })).status).toBe(200)
  })
})

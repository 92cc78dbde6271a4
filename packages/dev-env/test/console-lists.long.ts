import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible } from './console-page.ts'
import { type Console, openConsole, type Responses } from './console-stubbed.ts'

jest.setTimeout(180_000)

const SOON = '2099-11-23T12:00:45.000Z'
const USERS = 430
const PAGE = 100

const user = (at: number) => ({
  user_id: `user-${String(at).padStart(3, '0')}@example.com`,
  current_limit: 1000,
  limit_period: '30',
  tasks_consumed: at * 2,
  tasks_remaining: 1000 - at * 2,
  limit_reset_after: 12,
  tasks_consumed_percent: at / 5,
  tasks_remaining_percent: 100 - at / 5,
  limit_source: 'default',
  resets_at: SOON,
  blocked_until: null,
})

const app = (name: string, title: string, functions: number) => ({
  name,
  title,
  auth: ['none'],
  functions,
  rejected: 0,
  connected_accounts: 0,
  broken_accounts: 0,
  source: 'built_in',
})

const STUBS: Responses = {
  'POST /insights/admin/session/renew': { body: { access_expires_at: SOON, session_expires_at: SOON } },
  'GET /insights/admin/session': {
    body: {
      person: { id: '019ac2f4-0000-7000-8000-000000000001', email: 'ann@example.com', name: 'Ann' },
      operator: false,
      version: '0.0.0',
      session: { id: '019ac2f4-0000-7000-8000-000000000002', expires_at: SOON },
      workspaces: [{ workspace_id: 'acme', name: 'Acme', role: 'owner' }],
    },
  },
  'GET /functions/admin/applications': { body: { applications: [{ app_key: 'ak_1', workspace_id: 'acme', name: 'Shop' }] } },
  'GET /insights/admin/applications': { body: { applications: [{ app_key: 'ak_1', limit_period: 30, on_limit: 'allow' }] } },
  'GET /insights/admin/users': (_, { _cursor, search }) => {
    const first = Number(_cursor ?? 0)
    const all = Array.from({ length: USERS }, (_each, at) => user(at)).filter(({ user_id }) => user_id.includes(search ?? ''))
    const next = first + PAGE < all.length ? String(first + PAGE) : null
    return { body: { users: all.slice(first, first + PAGE), _cursor: next } }
  },
  'GET /functions/admin/suspensions': { body: { suspensions: [] } },
  'GET /functions/admin/catalog': { body: { apps: [app('zoo', 'Zoo', 9), app('bank', 'Bank', 10), app('mail', 'Mail', 2)] } },
}

describeWithBrowser('the lists of the console in Chromium', () => {
  let onward: Console
  beforeAll(async () => {
    onward = await openConsole()
  })
  afterAll(async () => await onward.close())

  const rows = (page: Page) => page.locator('tbody [data-row]')
  const scroller = (page: Page) => page.locator('div:has(> div > header h1)')
  const topOf = async (page: Page) => Number(await page.evaluate(`document.querySelector('div:has(> div > header h1)').scrollTop`))
  const namesOf = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => text.split('\n').at(-1))
  const linkOf = (page: Page, at: number) => page.getByRole('link', { name: user(at).user_id })

  async function scrollDownTo(page: Page, at: number): Promise<void> {
    const box = await scroller(page).boundingBox()
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 300)
    while ((await linkOf(page, at).count()) === 0) {
      await page.mouse.wheel(0, 500)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    }
    await linkOf(page, at).scrollIntoViewIfNeeded()
  }

  it('keeps its rows and its place when the reader goes back, and begins at the top otherwise', async () => {
    const { page, problems } = await onward.open('w/acme/users', STUBS)
    await rows(page).first().waitFor()
    await scrollDownTo(page, 250)
    const top = await topOf(page)
    expect(top).toBeGreaterThan(5000)
    await linkOf(page, 250).click()
    await page.getByRole('heading', { name: user(250).user_id }).waitFor()
    await page.goBack()
    await linkOf(page, 250).waitFor()
    expect(Math.abs((await topOf(page)) - top)).toBeLessThan(2)
    await page.goForward()
    await page.getByRole('heading', { name: user(250).user_id }).waitFor()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).click()
    await linkOf(page, 0).waitFor()
    expect(await topOf(page)).toBe(0)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('returns to its place after a change of filters, too', async () => {
    const { page, problems } = await onward.open('w/acme/users', STUBS)
    await rows(page).first().waitFor()
    await scrollDownTo(page, 150)
    const top = await topOf(page)
    await page.getByRole('searchbox').fill('user-42')
    await page.getByRole('searchbox').press('Enter')
    await page.waitForURL(/search=user-42/)
    await page.getByText('End of list: 10 rows').waitFor()
    expect(await topOf(page)).toBe(0)
    await page.goBack()
    await linkOf(page, 150).waitFor()
    expect(Math.abs((await topOf(page)) - top)).toBeLessThan(2)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('sorts a list that is complete, and keeps the order in the address', async () => {
    const { page, problems } = await onward.open('w/acme/catalog', STUBS)
    await page.getByRole('link', { name: 'Zoo' }).waitFor()
    const head = page.getByRole('columnheader', { name: 'Functions' })
    expect(await head.getAttribute('aria-sort')).toBeNull()
    await head.getByRole('button').press('Enter')
    await page.waitForURL(/sort=functions/)
    expect([await head.getAttribute('aria-sort'), await namesOf(page)]).toEqual(['ascending', ['Mail', 'Zoo', 'Bank']])
    await head.getByRole('button').click()
    await page.waitForURL(/sort=-functions/)
    await page.reload()
    await page.getByRole('link', { name: 'Zoo' }).waitFor()
    expect([await head.getAttribute('aria-sort'), await namesOf(page)]).toEqual(['descending', ['Bank', 'Zoo', 'Mail']])
    await expectAccessible(page)
    await head.getByRole('button').click()
    await page.waitForURL((url) => !url.searchParams.has('sort'))
    expect([await head.getAttribute('aria-sort'), await namesOf(page)]).toEqual([null, ['Zoo', 'Bank', 'Mail']])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('offers no order of rows of which only some are loaded', async () => {
    const { page, problems } = await onward.open('w/acme/users?sort=-tasks_consumed', STUBS)
    const tasks = page.getByRole('columnheader', { name: 'Tasks' })
    await linkOf(page, 0).waitFor()
    expect(await tasks.getByRole('button').count()).toBe(0)
    await page.getByRole('searchbox').fill('user-42')
    await page.getByText('End of list: 10 rows').waitFor()
    expect(await tasks.getAttribute('aria-sort')).toBe('descending')
    expect((await namesOf(page))[0]).toBe(user(429).user_id)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('cuts a long user id on a phone, and shows the state and the time of each row in full', async () => {
    const long = `tenant-${'x'.repeat(90)}@example.com`
    const users = [{ ...user(0), user_id: long }, user(1)]
    const { page, problems } = await onward.open('w/acme/users', {
      ...STUBS,
      'GET /insights/admin/users': { body: { users, _cursor: null } },
    })
    await page.setViewportSize({ width: 390, height: 800 })
    const row = page.getByRole('listitem').filter({ hasText: long })
    const id = await row.getByText(long).boundingBox()
    const state = await row.getByText('No tasks yet').boundingBox()
    const resets = await row.getByText('Resets').boundingBox()
    expect((id?.x ?? 0) + (id?.width ?? 390)).toBeLessThan(state?.x ?? 0)
    for (const box of [state, resets]) expect((box?.x ?? 390) + (box?.width ?? 390)).toBeLessThanOrEqual(390 - 16)
    expect(problems).toEqual([])
    await page.context().close()
  })
})

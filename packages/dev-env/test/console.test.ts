import type { Page } from 'playwright-core'
import { describeWithBrowser, expectAccessible } from './console-page.ts'
import { type Console, errorOf, openConsole, type Responses } from './console-stubbed.ts'

jest.setTimeout(180_000)

const CODE = 'abcdefghijklmnopqrstuvwxyz-ABCDEFGHIJKLMN_0'
const OUT = { status: 401, body: errorOf('unauthenticated', 'sign in again') }
const SOON = '2026-11-23T12:00:45.000Z'

const ME = {
  person: { id: '019ac2f4-0000-7000-8000-000000000001', email: 'ann@example.com', name: 'Ann' },
  operator: true,
  version: '0.0.0',
  session: { id: '019ac2f4-0000-7000-8000-000000000002', expires_at: SOON },
  workspaces: [
    { workspace_id: 'acme', name: 'Acme', role: 'owner' },
    { workspace_id: 'globex', name: 'Globex', role: 'viewer' },
  ],
}

const application = (app_key: string, name: string) => ({ app_key, workspace_id: 'acme', name })

/** The answers to someone who is signed in. */
const SIGNED_IN: Responses = {
  'POST /insights/admin/session/renew': { body: { access_expires_at: SOON, session_expires_at: SOON } },
  'GET /insights/admin/session': { body: ME },
  'GET /functions/admin/applications': { body: { applications: [application('ak_1', 'Shop'), application('ak_2', 'Desk')] } },
}
const PREVIEW = 'POST /insights/admin/session/preview'
const LINKS_ONLY = { 'GET /insights/admin/session/methods': { body: { single_sign_on: null } } }
const SIGNED_OUT: Responses = {
  ...SIGNED_IN,
  ...LINKS_ONLY,
  'POST /insights/admin/session/renew': OUT,
  [PREVIEW]: { body: { email: 'ann@example.com', workspace: { workspace_id: 'acme', name: 'Acme' }, signed_in: null } },
}

const CALL_ID = '019ac2f4-0000-7000-8000-00000000000a'
const REQUEST_ID = '019ac2f4-0000-7000-8000-00000000000b'
const DELIVERY_ID = '019ac2f4-0000-7000-8000-00000000000c'

/** The answers to someone who looks for one of these ids, or for joe@example.com. */
const FOUND: Responses = {
  ...SIGNED_IN,
  [`GET /functions/admin/calls/${CALL_ID}`]: { body: { id: CALL_ID, function_name: 'shop-read-order' } },
  'GET /functions/admin/calls': (_, { request_id }) => ({
    body: { calls: request_id === REQUEST_ID ? [{ id: CALL_ID, function_name: 'shop-list-orders' }] : [], _cursor: null, _reached: null },
  }),
  'GET /functions/admin/catalog': { body: { apps: [{ name: 'shop', title: 'The shop' }] } },
  'GET /functions/admin/suspensions': { body: { suspensions: [] } },
  'GET /functions/admin/functions': (_, { search }) => ({
    body: { functions: search === 'what was ordered' ? [{ name: 'shop-list-orders', app: 'shop', title: 'List orders' }] : [] },
  }),
  'GET /insights/admin/workspaces/acme/deliveries': (_, { delivery_ids }) => ({
    body: { deliveries: delivery_ids === DELIVERY_ID ? [{ event_name: 'user_tasks_limit_80' }] : [], _cursor: null },
  }),
  'GET /insights/admin/applications': { body: { applications: [{ app_key: 'ak_1', limit_period: 30, on_limit: 'allow' }] } },
  'GET /insights/admin/users': (_, { app_key, search }) => ({
    body: { users: app_key === 'ak_1' && search === 'joe@' ? [{ user_id: 'joe@example.com' }] : [], _cursor: null },
  }),
}

const focused = (page: Page) => page.evaluate('document.activeElement.innerText')

describeWithBrowser('the frame of the console in Chromium', () => {
  let onward: Console
  beforeAll(async () => {
    onward = await openConsole()
  })
  afterAll(async () => await onward.close())

  const heading = (name: string) => ({ name, level: 1, exact: true }) as const

  it('signs in with a one-time link only after a press, and keeps its code out of the address', async () => {
    const bodies: unknown[] = []
    const answers = { ...SIGNED_OUT }
    answers['POST /insights/admin/session/redeem'] = (body) => {
      bodies.push(body)
      Object.assign(answers, SIGNED_IN)
      return { body: { expires_at: SOON } }
    }
    const { page, problems, asked } = await onward.open(`sign-in#code=${CODE}`, answers)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(page.url()).toBe(`${onward.url}sign-in`)
    expect(asked).toEqual([PREVIEW])
    expect(await page.locator('dl').textContent()).toContain('ann@example.comWorkspaceAcme')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByRole('heading', heading('Overview')).waitFor()
    expect(bodies).toEqual([{ code: CODE }])
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href])')).not.toContain(CODE)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('says who is signed in now, and replaces that session only if it is asked to', async () => {
    const bodies: unknown[] = []
    const other = { email: 'eve@example.com', workspace: { workspace_id: 'eve', name: 'Eve' }, signed_in: { email: 'ann@example.com' } }
    const { page, problems } = await onward.open(`sign-in#code=${CODE}`, {
      ...SIGNED_IN,
      [PREVIEW]: { body: other },
      'POST /insights/admin/session/redeem': (body) => {
        bodies.push(body)
        return { body: { expires_at: SOON } }
      },
    })
    await page.getByText('This browser is signed in as ann@example.com').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Stay signed in as ann@example.com' }).click()
    await page.getByRole('heading', heading('Overview')).waitFor()
    expect(bodies).toEqual([])
    await page.goto(`${onward.url}sign-in#code=${CODE}`)
    await page.getByRole('button', { name: 'Sign in as eve@example.com' }).click()
    await page.getByRole('heading', heading('Overview')).waitFor()
    expect(bodies).toEqual([{ code: CODE }])
    expect(problems).toEqual([])
    await page.context().close()
  })

  it.each([PREVIEW, 'POST /insights/admin/session/redeem'])(
    'says why the one-time link does not work, and asks for another: %s',
    async (refuses) => {
      const { page, problems } = await onward.open(`sign-in#code=${CODE}`, { ...SIGNED_OUT, [refuses]: OUT })
      if (refuses !== PREVIEW) await page.getByRole('button', { name: 'Sign in' }).press('Enter')
      await page.getByLabel('Sign-in link').waitFor()
      await page.getByText('sign in again').waitFor()
      expect(problems).toEqual([])
      await page.context().close()
    },
  )

  it('asks someone who is not signed in for a link, refuses other text, and then shows the page of the address', async () => {
    const answers = { ...SIGNED_OUT, 'POST /insights/admin/session/redeem': OUT } as Responses
    const { page, problems } = await onward.open('w/globex/calls', answers)
    const field = page.getByLabel('Sign-in link')
    await field.fill('https://example.com/')
    await field.press('Enter')
    await page.getByText('This is not a sign-in link').waitFor()
    await expectAccessible(page)
    await field.fill(`https://onward.example.com/console/sign-in#code=${CODE}`)
    await field.press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByText('sign in again').waitFor()
    answers['POST /insights/admin/session/redeem'] = () => {
      Object.assign(answers, SIGNED_IN)
      return { body: { expires_at: SOON } }
    }
    await field.fill(`https://onward.example.com/console/sign-in#code=${CODE}`)
    await field.press('Enter')
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByRole('heading', heading('Calls')).waitFor()
    expect(page.url()).toBe(`${onward.url}w/globex/calls`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('asks to sign in again over the page when the session ends, and goes on where it was', async () => {
    const answers = { ...SIGNED_IN }
    const { page, problems } = await onward.open('w/acme', answers)
    await page.getByRole('heading', heading('Overview')).waitFor()
    Object.assign(answers, { ...LINKS_ONLY, 'POST /insights/admin/session/renew': OUT, 'GET /functions/admin/applications': OUT })
    await page.evaluate(`document.querySelector('h1').dataset.kept = 'yes'`)
    await page.clock.install()
    await page.clock.fastForward(120_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'I have signed in in another tab' }).click()
    await page.getByText('This browser is not signed in yet.').waitFor()
    Object.assign(answers, SIGNED_IN)
    await page.getByRole('button', { name: 'I have signed in in another tab' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate(`document.querySelector('h1').dataset.kept`)).toBe('yes')
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('keeps the application filter in the address, and leads to the same page of another workspace', async () => {
    const { page, problems } = await onward.open('w/acme/calls?app_key=ak_2', SIGNED_IN)
    const filter = page.getByLabel('Application', { exact: true })
    await filter.waitFor()
    expect(await filter.inputValue()).toBe('ak_2')
    const playground = page.getByRole('link', { name: 'Playground' })
    expect(await playground.getAttribute('href')).toBe('/console/w/acme/playground?app_key=ak_2')
    await filter.selectOption({ label: 'All applications' })
    await page.waitForURL(`${onward.url}w/acme/calls`)
    await page.getByRole('button', { name: 'Workspace: Acme' }).press('Enter')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Globex' }).press('Enter')
    await page.waitForURL(`${onward.url}w/globex/calls`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('applies the chosen theme at once and before the first paint of the next page', async () => {
    const { page, problems } = await onward.open('w/acme', SIGNED_IN, { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Appearance' }).press('Enter')
    await expectAccessible(page)
    await page.getByRole('radio', { name: 'Dark' }).press('Space')
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await background()).toBe('rgb(12, 15, 20)')
    await page.goto(`${onward.url}w/acme/calls`)
    await page.getByRole('heading', heading('Calls')).waitFor()
    expect(await background()).toBe('rgb(12, 15, 20)')
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('opens the palette by key and by button, goes to what is typed, and returns the focus', async () => {
    const { page, problems } = await onward.open('w/acme', FOUND)
    await page.getByRole('heading', heading('Overview')).waitFor()
    const field = page.getByRole('combobox', { name: /setting or ID/ })
    const opener = page.getByRole('button', { name: 'Search …' })
    await opener.click()
    await field.waitFor()
    await page.getByRole('option', { name: 'Shop ak_1' }).waitFor()
    await expectAccessible(page)
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(await focused(page)).toContain('Search …')

    await page.keyboard.press('Control+k')
    await field.fill('call')
    await field.press('ArrowDown')
    await page.getByRole('option', { name: 'Failed calls', selected: true }).waitFor()
    await field.press('ArrowUp')
    await page.getByRole('option', { name: 'Calls', exact: true, selected: true }).waitFor()
    await field.press('Enter')
    await page.waitForURL(`${onward.url}w/acme/calls`)
    await field.waitFor({ state: 'detached' })
    await page.getByRole('heading', heading('Calls')).waitFor()

    await page.keyboard.press('Control+k')
    await field.fill('desk')
    await page.getByRole('option', { name: 'Desk ak_2', selected: true }).click()
    await page.waitForURL(`${onward.url}w/acme/applications/ak_2`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('finds calls, requests, deliveries, users and functions in the palette', async () => {
    const { page } = await onward.open('w/acme', FOUND)
    await page.getByRole('heading', heading('Overview')).waitFor()
    const searches = [
      [CALL_ID.toUpperCase(), 'shop-read-order Call', `calls?q=${CALL_ID}&call=${CALL_ID}`],
      [REQUEST_ID, 'shop-list-orders Request', `calls?q=${REQUEST_ID}&call=${CALL_ID}`],
      [DELIVERY_ID, 'user_tasks_limit_80 Webhook delivery', `webhooks/deliveries/${DELIVERY_ID}`],
      [' joe@ ', 'joe@example.com User of Shop', 'users/ak_1/joe%40example.com'],
      ['what was ordered', 'List orders shop-list-orders', 'catalog/shop/shop-list-orders'],
    ] as const
    for (const [text, name, path] of searches) {
      // By key from anywhere: each page takes the focus when it opens, also from a button between its focus and its press.
      await page.keyboard.press('Control+k')
      const field = page.getByRole('combobox', { name: /setting or ID/ })
      await field.fill(text)
      await page.getByRole('option', { name, selected: true }).waitFor()
      await field.press('Enter')
      await page.waitForURL(`${onward.url}w/acme/${path}`)
      await field.waitFor({ state: 'detached' })
    }
    await page.context().close()
  })

  it('keeps the chosen option of the palette when more is found', async () => {
    const { page, problems } = await onward.open('w/acme', FOUND)
    await page.getByRole('heading', heading('Overview')).waitFor()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/console/api/insights/admin/users?*', async (route) => {
      await released
      await route.fallback()
    })
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: /setting or ID/ })
    await field.fill('joe@')
    await page.getByRole('option', { name: 'Search calls for “joe@”', selected: true }).waitFor()
    await field.press('ArrowDown')
    const chosen = page.getByRole('option', { name: 'Search users for “joe@”', selected: true })
    await chosen.waitFor()
    release()
    await page.getByRole('option', { name: 'joe@example.com User of Shop' }).waitFor()
    await chosen.waitFor()
    await field.press('Enter')
    await page.waitForURL(`${onward.url}w/acme/users?search=joe%40`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('says in the palette when a service did not answer, and offers the search pages', async () => {
    const failing = { status: 400, body: errorOf('invalid_parameters', 'not now') }
    const { page } = await onward.open('w/acme', { ...FOUND, 'GET /insights/admin/users': failing })
    await page.getByRole('heading', heading('Overview')).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /setting or ID/ }).fill('joe')
    await page.getByRole('status').getByText('A service did not respond').waitFor()
    await page.getByRole('option', { name: 'Search users for “joe”' }).click()
    await page.waitForURL(`${onward.url}w/acme/users?search=joe`)
    await page.context().close()
  })

  it('goes to pages with g and a letter, lists the shortcuts, and lets people turn single keys off', async () => {
    const { page, problems } = await onward.open('w/acme/calls?app_key=ak_2', FOUND)
    await page.getByRole('heading', heading('Calls')).waitFor()
    await page.keyboard.type('gu')
    await page.waitForURL(`${onward.url}w/acme/users?app_key=ak_2`)
    await page.getByRole('heading', heading('Users')).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    for (const text of ['Ctrl', 'Next row', 'Catalog']) await dialog.getByText(text, { exact: true }).waitFor()
    await expectAccessible(page)
    await page.keyboard.type('gc')
    await dialog.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.type('gc?')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Search', exact: true }).waitFor()
    expect(await dialog.count()).toBe(0)
    expect(page.url()).toBe(`${onward.url}w/acme/users?app_key=ak_2`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('focuses the search field with /, and leaves keys to fields, the browser and screen readers', async () => {
    const { page, problems } = await onward.open('w/acme/users', FOUND)
    const search = page.getByRole('searchbox')
    await search.waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('g?/c')
    await page.keyboard.press('Control+k')
    expect(await search.inputValue()).toBe('g?/c')
    await search.blur()
    for (const keys of ['Alt+g', 'Control+Alt+g', 'Shift+Control+k', 'Control+/']) {
      await page.keyboard.press(keys)
      await page.keyboard.press('c')
    }
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`${new URL(onward.url).pathname}w/acme/users`)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('reloads once when a release has removed the code of a page', async () => {
    const { page, problems } = await onward.open('w/acme', SIGNED_IN)
    await page.getByRole('heading', heading('Overview')).waitFor()
    let gone = 0
    await page.route('**/console/assets/**', async (route) => {
      gone++
      if (gone > 1) await route.continue()
      else await route.fulfill({ status: 404, json: errorOf('not_found', 'there is no such file') })
    })
    await page.evaluate(`history.pushState({}, '', '${new URL(onward.url).pathname}w/acme/users')`)
    await page.getByRole('heading', heading('Users')).waitFor()
    expect(gone).toBeGreaterThan(1)
    expect(problems.filter((problem) => !/Failed to fetch dynamically imported module/.test(problem))).toEqual([])
    await page.context().close()
  })

  it('says that the browser is offline when a page cannot be loaded, and loads the page when it is online again', async () => {
    const { page } = await onward.open('w/acme', SIGNED_IN)
    await page.getByRole('heading', heading('Overview')).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('heading', heading('You are offline')).waitFor()
    expect(await page.getByRole('button', { name: 'Reload' }).getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page)
    await page.keyboard.press('?')
    await page.getByText('This part of the console could not be loaded. You are offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', heading('Users')).waitFor()
    await page.context().close()
  })

  it('offers to reload when a release has removed the styles of a page', async () => {
    const { page } = await onward.open('w/acme', SIGNED_IN)
    await page.getByRole('heading', heading('Overview')).waitFor()
    await page.route('**/console/assets/*.css', (route) =>
      route.fulfill({ status: 404, json: errorOf('not_found', 'there is no such file') }),
    )
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('heading', heading('There is probably a new version of the console')).waitFor()
    await page.unroute('**/console/assets/*.css')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', heading('Users')).waitFor()
    await page.context().close()
  })

  it('reads again what could not be read when the browser comes back online', async () => {
    const session = { status: 503, body: errorOf('unavailable', 'try again later') }
    const { page } = await onward.open('w/acme', { ...SIGNED_IN, 'GET /insights/admin/session': () => session })
    await page.getByText('Onward could not be loaded').waitFor()
    Object.assign(session, { status: 200, body: ME })
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await page.getByRole('heading', heading('Overview')).waitFor()
    await page.context().close()
  })
})

import { describeWithBrowser, expectAccessible } from './console-page.ts'
import { type Answers, type Console, errorOf, openConsole } from './console-stubbed.ts'

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
const SIGNED_IN: Answers = {
  'POST /insights/admin/session/renew': { body: { access_expires_at: SOON, session_expires_at: SOON } },
  'GET /insights/admin/session': { body: ME },
  'GET /functions/admin/applications': { body: { applications: [application('ak_1', 'Shop'), application('ak_2', 'Desk')] } },
}
const LINKS_ONLY = { 'GET /insights/admin/session/methods': { body: { single_sign_on: null } } }
const SIGNED_OUT: Answers = { ...SIGNED_IN, ...LINKS_ONLY, 'POST /insights/admin/session/renew': OUT }

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
    expect(asked).toEqual([])
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByRole('heading', heading('Overview')).waitFor()
    expect(bodies).toEqual([{ code: CODE }])
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href])')).not.toContain(CODE)
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('asks someone who is not signed in for a link, refuses other text, and then shows the page of the address', async () => {
    const answers = { ...SIGNED_OUT, 'POST /insights/admin/session/redeem': OUT } as Answers
    const { page, problems } = await onward.open('w/globex/calls', answers)
    const field = page.getByLabel('Sign-in link')
    await field.fill('https://example.com/')
    await field.press('Enter')
    await page.getByText('This is no sign-in link').waitFor()
    await expectAccessible(page)
    await field.fill(`https://onward.example.com/console/sign-in#code=${CODE}`)
    await field.press('Enter')
    await page.getByText('sign in again').waitFor()
    answers['POST /insights/admin/session/redeem'] = () => {
      Object.assign(answers, SIGNED_IN)
      return { body: { expires_at: SOON } }
    }
    await field.press('Enter')
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
})

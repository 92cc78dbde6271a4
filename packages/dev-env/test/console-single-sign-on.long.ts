import { readConfig, startInsights } from '@onward/insights'
import { ADMIN_TOKEN, areaEnv, fixedPort, type OpenIdProvider, openOpenIdProvider, openSuite } from '@onward/testbed'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { buildConsole } from '../src/start/build-console.ts'
import { describeWithBrowser, expectAccessible, expectFits, openBrowser, openPage } from './console-page.ts'

jest.setTimeout(180_000)

const EMAIL = 'ann@example.com'
const BUTTON = 'Sign in with Acme'

describeWithBrowser('single sign-on in Chromium', () => {
  let provider: OpenIdProvider
  let browser: Browser
  let url: string
  let linkFor: (email: string) => Promise<string>
  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const port = await fixedPort()
    url = `http://127.0.0.1:${port}`
    const opening = openOpenIdProvider(`${url}/console/oidc/callback`, { claimsInToken: true })
    const [folder, suite] = await Promise.all([buildConsole(process.cwd()), openSuite('insights')])
    provider = await opening
    const env = { ...areaEnv(suite), ...provider.env, PORT: String(port), PUBLIC_URL: url, OIDC_LABEL: BUTTON }
    const insights = await startInsights(readConfig(env, { console: folder }))
    browser = await openBrowser()
    closers.push(
      () => browser.close(),
      () => provider.close(),
      () => insights.close(),
      () => suite.close(),
    )
    const admin = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' }
      const response = await fetch(insights.internalUrl + path, { method, headers, body: JSON.stringify(body) })
      expect(response.status).toBe(200)
      return (await response.json()) as { url?: string }
    }
    linkFor = async (email) => String((await admin('POST', '/admin/sign-in-links', { email })).url)
    await admin('PUT', '/admin/workspaces/acme', { name: 'Acme' })
    await admin('POST', '/admin/workspaces/acme/members', { email: EMAIL, role: 'owner' })
    await provider.setAccount('ann', { email: EMAIL, email_verified: true })
    await provider.setAccount('stranger', { email: 'a-stranger-with-a-long-address@department.example.com', email_verified: true })
  })
  afterAll(async () => {
    for (const close of closers) await close()
  })

  let context: BrowserContext | undefined
  afterEach(async () => await context?.close())

  /** Opens a page of the console in a new browser profile. There is no functions service: the pages say so, and the frame works. */
  async function open(path: string): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
    const { page, problems } = await openPage(browser)
    const opened = page.context()
    context = opened
    await opened.route('**/console/api/functions/**', (route) => route.fulfill({ status: 404, json: {} }))
    await page.goto(`${url}/console/${path}`)
    return { page, context: opened, problems }
  }
  const expectSignedIn = (page: Page) => page.getByRole('button', { name: 'Your account' }).waitFor()

  it('is offered first, and leads back to the page that was asked for', async () => {
    const { page, context, problems } = await open('w/acme/settings')
    const button = page.getByRole('link', { name: BUTTON })
    await button.waitFor()
    const order = await page.evaluate(`[...document.querySelectorAll('main a, main input')].map((each) => each.localName)`)
    expect(order).toEqual(['a', 'input'])
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.setViewportSize({ width: 1280, height: 720 })
    await button.press('Enter')
    await page.getByRole('link', { name: 'ann', exact: true }).click()
    await expectSignedIn(page)
    expect(page.url()).toBe(`${url}/console/w/acme/settings`)
    const cookies = await context.cookies(url)
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual(
      expect.arrayContaining([
        ['onward-session', true, 'Strict'],
        ['onward-access', true, 'Strict'],
      ]),
    )
    expect(cookies.some(({ name }) => name === 'onward-sign-in')).toBe(false)
    expect(problems).toEqual([])
  })

  it('is shown to owners in Settings with what the provider needs, and without the client secret', async () => {
    const { page, problems } = await open('w/acme/settings/sso')
    await page.getByRole('link', { name: BUTTON }).click()
    await page.getByRole('link', { name: 'ann', exact: true }).click()
    await page.getByText('Configured', { exact: true }).waitFor()
    const facts = await page.locator('dl').innerText()
    for (const text of [provider.url, 'onward', BUTTON, `${url}/console/oidc/callback`]) expect(facts).toContain(text)
    expect(await page.content()).not.toContain(provider.env.OIDC_CLIENT_SECRET)
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.getByRole('link', { name: 'People of this workspace' }).click()
    await page.waitForURL(`${url}/console/w/acme/people`)
    expect(problems).toEqual([])
  })

  it('tells a person without access whom to ask, on a page that leads back to the sign-in page', async () => {
    const { page, problems } = await open('')
    await page.getByRole('link', { name: BUTTON }).click()
    await page.getByRole('link', { name: 'stranger', exact: true }).click()
    await page.getByRole('heading', { name: 'You have no access to this console' }).waitFor()
    await page.getByText('a-stranger-with-a-long-address@department.example.com').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.getByRole('link', { name: 'Back to the sign-in page' }).press('Enter')
    await page.getByLabel('Sign-in link').waitFor()
    expect(page.url()).toBe(`${url}/console/sign-in`)
    expect(problems).toEqual([])
  })

  it('is not replaced by a link of another person until the person at the browser says so, and then ends', async () => {
    const { page, context, problems } = await open('')
    await page.getByRole('link', { name: BUTTON }).click()
    await page.getByRole('link', { name: 'ann', exact: true }).click()
    await expectSignedIn(page)
    const [before] = (await context.cookies(url)).filter(({ name }) => name === 'onward-session')
    await page.goto(await linkFor('eve@example.com'))
    await page.getByText(`This browser is signed in as ${EMAIL}`).waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 320, height: 640 })
    await expectFits(page)
    await page.getByRole('button', { name: 'Sign in as eve@example.com' }).click()
    await page.getByText('You are not a member of any workspace').waitFor()
    const headers = { 'x-onward-console': '1', cookie: `onward-session=${before?.value}` }
    const { status } = await fetch(`${url}/console/api/insights/admin/session/renew`, { method: 'POST', headers })
    expect(status).toBe(401)
    expect(problems).toEqual([])
  })

  it('opens in another tab when a session ends, so that the page keeps what was typed', async () => {
    const { page, context, problems } = await open('w/acme')
    await page.getByRole('link', { name: BUTTON }).click()
    await page.getByRole('link', { name: 'ann', exact: true }).click()
    await expectSignedIn(page)
    await page.evaluate(`document.querySelector('h1').dataset.kept = 'yes'`)
    await context.clearCookies({ name: 'onward-session' })
    await context.clearCookies({ name: 'onward-access' })
    await page.clock.install()
    await page.clock.fastForward(120_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    const link = dialog.getByRole('link', { name: BUTTON })
    await link.waitFor()
    // The first request that succeeds closes the dialog. Until the button is pressed, the page's own refreshes must not do that.
    const every = '**/console/api/**'
    await page.route(every, (route) => route.fulfill({ status: 401, json: {} }))
    await page.exposeFunction('press', () => page.unroute(every))
    const opened = context.waitForEvent('page')
    await link.click()
    const tab = await opened
    // The provider still knows the person.
    await expectSignedIn(tab)
    await page.evaluate(`document.addEventListener('pointerdown', () => press(), { once: true })`)
    await page.getByRole('button', { name: 'I have signed in in another tab' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await tab.close()
    expect(await page.evaluate(`document.querySelector('h1').dataset.kept`)).toBe('yes')
    expect(problems).toEqual([])
  })
})

import { openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { type AuthorizationServer, clientOf, startAuthorizationServer } from './authorization-server.ts'
import { describeWithBrowser, executablePath, expectAccessible, freePort, OPENER } from './browser-checks.ts'
import { beShelf, loginUrlOf, openConnecting, SHELF_KEY } from './connecting.ts'
import { appFile, appFolder } from './oauth-support.ts'
import type { Functions } from './support.ts'

jest.setTimeout(60_000)

let onward: Functions
let provider: AuthorizationServer
let application: ScriptedServer
let browser: Browser
let context: BrowserContext
/** What browsers complain of: scripts that fail, and what a page's own policy forbids. */
const complaints: string[] = []

const DONE = /\/done\?authorization_id=\d+$/
const back = () => `?redirect_uri=${encodeURIComponent(`${application.url}/done`)}`
const allow = (lists: object) =>
  onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'Acme CRM', ...lists }).expect(200)

async function newPage(): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (err) => complaints.push(String(err)))
  page.on('console', (message) => {
    // The opener may be of only one of the origins that are told, and the browser notes the others.
    if (message.type() === 'error' && !/status of 4|target origin provided/.test(message.text())) complaints.push(message.text())
  })
  return page
}

/** The client application's page, and the login page in a window that it opened. */
async function openPopup(userId: string, app: string, query = ''): Promise<{ opener: Page; popup: Page }> {
  const opener = await newPage()
  await opener.goto(application.url)
  const opened = opener.waitForEvent('popup')
  const url = (await loginUrlOf(onward.user(userId), app)) + query
  await opener.evaluate(`window.open(${JSON.stringify(url)}, 'connect', 'width=420,height=700'), undefined`)
  const popup = await opened
  await popup.waitForLoadState()
  return { opener, popup }
}

async function enterShelf(page: Page): Promise<void> {
  await page.getByLabel('API key').fill(SHELF_KEY)
  await page.getByLabel('Server URL').fill(onward.third.url)
  await page.keyboard.press('Enter')
}

async function told(opener: Page): Promise<number> {
  await opener.waitForFunction('window.told.length > 0')
  const messages = await opener.evaluate('window.told')
  expect(messages).toEqual([{ data: { authorization_id: expect.any(Number) }, origin: onward.url }])
  return (messages as { data: { authorization_id: number } }[])[0]?.data.authorization_id as number
}

describeWithBrowser('in Chromium', () => {
  beforeAll(async () => {
    const port = await freePort()
    const redirectUri = `http://127.0.0.1:${port}/connect/callback`
    provider = await startAuthorizationServer({ redirectUri, asks: true })
    const { url } = provider
    const oauth2 = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token`, issuer: url }
    const scheme = { ...oauth2, scopes: ['openid', 'offline_access'], authorization_parameters: { prompt: 'consent' } }
    const oak = appFile('oak', `${url}/api`, scheme, { identity: { function: 'get-me', name: '/name', id: '/id' } })
    const folders = `services/functions/test/connect-apps,${await appFolder([oak])}`
    onward = await openConnecting({ APPS_PATH: folders, PORT: String(port) })
    beShelf(onward)
    const { clientId, clientSecret } = clientOf('post')
    const client = { client_id: clientId, client_secret: clientSecret }
    await onward.admin('put', '/admin/applications/app-1/oauth-clients/oak', client).expect(200)
    application = await openScriptedServer()
    application.answer((_received, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(OPENER))
    await allow({ allowed_origins: ['https://elsewhere.example', application.url], allowed_redirects: [`${application.url}/done`] })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  beforeEach(async () => {
    complaints.length = 0
    context = await browser.newContext({ viewport: { width: 375, height: 720 } })
  })
  afterEach(() => context.close())
  afterAll(async () => {
    await browser.close()
    await application.close()
    await provider.close()
  })

  it('connects by a key: the wrong one is told, the right one reaches the application, and a call works', async () => {
    const { opener, popup } = await openPopup('ada', 'shelf')
    await expectAccessible(popup)
    await popup.getByLabel('API key').fill('wrong-key-0123456789')
    await popup.getByLabel('Server URL').fill(onward.third.url)
    await popup.keyboard.press('Enter')
    const alert = popup.getByRole('alert')
    await alert.waitFor()
    expect((await alert.textContent())?.trim()).toBe('Shelf & Sons did not accept these credentials (401).')
    expect(await popup.evaluate(`document.activeElement.getAttribute('role')`)).toBe('alert')
    expect(await popup.getByLabel('API key').inputValue()).toBe('')
    await expectAccessible(popup)

    await popup.getByRole('button', { name: 'Connect' }).click()
    await popup.getByText('Please correct this').waitFor()
    await popup.getByRole('link', { name: 'API key must not be empty.' }).click()
    expect(await popup.evaluate('document.activeElement.name')).toBe('api_key')
    await popup.keyboard.type(SHELF_KEY)
    const closed = popup.waitForEvent('close')
    await popup.keyboard.press('Enter')
    const id = await told(opener)
    await closed
    const { body } = await onward.user('ada').call('shelf-list-books', {}, `?connected_account_id=${id}`).expect(200)
    expect(body).toMatchObject({ network_code: 200, output: ['Sense'] })
    expect(complaints).toEqual([])
  })

  it('connects at a provider, and again after a no', async () => {
    const { opener, popup } = await openPopup('grace', 'oak')
    await expectAccessible(popup)
    await popup.getByRole('button', { name: 'Continue to Oak' }).click()
    await popup.getByRole('link', { name: 'Deny' }).click()
    await popup.getByRole('heading', { name: 'Oak was not connected' }).waitFor()
    expect(await popup.getByText('You did not allow access').count()).toBe(1)
    await expectAccessible(popup)
    await popup.getByRole('link', { name: 'Try again' }).click()
    await popup.getByRole('button', { name: 'Continue to Oak' }).click()
    await popup.getByRole('link', { name: 'Allow' }).click()
    const id = await told(opener)
    const { body } = await onward.user('grace').call('oak-get-me', {}, `?connected_account_id=${id}`).expect(200)
    expect(body.output).toEqual({ id: 'ada', name: 'Ada' })
    expect(complaints).toEqual([])
  })

  it('says that it worked, where no window waits for that', async () => {
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('alone'), 'shelf'))
    await enterShelf(page)
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
    await expectAccessible(page)
    expect(complaints).toEqual([])
  })

  it('goes back to the application, past the policy of the form', async () => {
    const page = await newPage()
    await page.goto((await loginUrlOf(onward.user('back'), 'shelf')) + back())
    await enterShelf(page)
    await page.waitForURL(DONE)
    expect(complaints).toEqual([])
  })

  it('tells the application, then goes back to it in the same window', async () => {
    const { opener, popup } = await openPopup('both', 'oak', back())
    await popup.getByRole('button').click()
    await popup.getByRole('link', { name: 'Allow' }).click()
    await popup.waitForURL(DONE)
    expect(popup.url()).toBe(`${application.url}/done?authorization_id=${await told(opener)}`)
    expect(complaints).toEqual([])
  })

  it('tells windows of listed origins only', async () => {
    await allow({ allowed_origins: ['https://elsewhere.example'] })
    const { opener, popup } = await openPopup('unlisted', 'shelf')
    const closed = popup.waitForEvent('close')
    await enterShelf(popup)
    await closed
    expect(await opener.evaluate('window.told')).toEqual([])
    await allow({ allowed_origins: [application.url] })
  })

  it('works without scripts, and on narrow screens', async () => {
    await context.close()
    context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 560 }, colorScheme: 'dark' })
    const page = await context.newPage()
    await page.goto(await loginUrlOf(onward.user('plain'), 'shelf'))
    await page.getByLabel('API key').fill('wrong')
    await page.getByLabel('Server URL').fill(onward.third.url)
    await page.getByRole('button').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').evaluate((alert) => alert.matches(':focus'))).toBe(true)
    await page.getByLabel('API key').fill(SHELF_KEY)
    await page.getByRole('button').click()
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
    await page.goto((await loginUrlOf(onward.user('plain'), 'shelf')) + back())
    await enterShelf(page)
    await page.waitForURL(DONE)
  })

  it('can not be put into a frame', async () => {
    const page = await context.newPage()
    const url = await loginUrlOf(onward.user('framed'), 'shelf')
    await page.goto(application.url)
    await page.setContent(`<iframe src="${url}"></iframe>`)
    await page.waitForLoadState('networkidle')
    expect(await page.frameLocator('iframe').getByRole('heading', { name: 'Connect' }).count()).toBe(0)
  })

  it('keeps its cookie from scripts', async () => {
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('cookie'), 'shelf'))
    expect(await page.evaluate('document.cookie')).toBe('')
    const [cookie, ...others] = await context.cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({ name: 'onward-connect', httpOnly: true, sameSite: 'Lax', path: '/' })
  })
})

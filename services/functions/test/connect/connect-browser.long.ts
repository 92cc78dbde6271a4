import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { transformSync } from '@swc/core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expectAccessible } from '../support/accessible.ts'
import { type AuthorizationServer, clientOf, startAuthorizationServer } from '../support/authorization-server.ts'
import { loginUrlOf, openConnecting, respondAsShelf, SHELF_KEY } from '../support/connecting.ts'
import { appFile, appFolder } from '../support/oauth-support.ts'
import type { Functions } from '../support/support.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test connecting in a browser.\n`)
const describeWithBrowser = hasBrowser ? describe : describe.skip

/** The browser entry of the client and what it imports, as modules for the page of the client application. */
const MODULES = new Map(
  ['browser.ts', 'options.ts'].map((name) => {
    const source = readFileSync(`packages/client/src/${name}`, 'utf8')
    return [`/${name}`, transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }).code]
  }),
)

/** A page of the client application, which opens a login page and stores the messages that it receives. */
const OPENER = `<!doctype html><title>Acme</title><script>
window.messages = []
window.addEventListener('message', ({ data, origin }) => window.messages.push({ data, origin }))
</script>`

let onward: Functions
let provider: AuthorizationServer
let application: ScriptedServer
let browser: Browser
let context: BrowserContext
/** Errors in the browser's console: scripts that fail and violations of the page's content security policy. */
const consoleErrors: string[] = []

const DONE = /\/done\?authorization_id=\d+$/
const back = () => `?redirect_uri=${encodeURIComponent(`${application.url}/done`)}`
const allow = (lists: object) =>
  onward.admin('put', '/admin/applications/app-1', { workspace_id: 'workspace-1', name: 'Acme CRM', ...lists }).expect(200)

async function newPage(): Promise<Page> {
  const page = await context.newPage()
  page.on('pageerror', (err) => consoleErrors.push(String(err)))
  page.on('console', (message) => {
    // The opener has only one of the allowed origins, so the browser logs an error for each of the others.
    if (message.type() === 'error' && !/status of 4|target origin provided/.test(message.text())) consoleErrors.push(message.text())
  })
  return page
}

/** Opens the client application's page, which opens the login page in a second window. */
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
  await page.getByLabel('API key', { exact: true }).fill(SHELF_KEY)
  await page.getByLabel('Server URL').fill(onward.third.url)
  await page.keyboard.press('Enter')
}

async function receivedId(opener: Page): Promise<number> {
  await opener.waitForFunction('window.messages.some(({ data }) => "authorization_id" in data)')
  const messages = await opener.evaluate('window.messages.filter(({ data }) => "authorization_id" in data)')
  expect(messages).toEqual([{ data: { authorization_id: expect.any(Number) }, origin: onward.url }])
  return (messages as { data: { authorization_id: number } }[])[0]?.data.authorization_id as number
}

describeWithBrowser('connecting an account in Chromium', () => {
  beforeAll(async () => {
    const port = await freePort()
    const redirectUri = `http://127.0.0.1:${port}/connect/callback`
    provider = await startAuthorizationServer({ redirectUri, asks: true })
    const { url } = provider
    const oauth2 = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token`, issuer: url }
    const scope_descriptions = { openid: 'See who you are' }
    const scheme = { ...oauth2, scopes: ['openid', 'offline_access'], scope_descriptions, authorization_parameters: { prompt: 'consent' } }
    const oak = appFile('oak', `${url}/api`, scheme, { identity: { function: 'get-me', name: '/name', id: '/id' } })
    const folders = `services/functions/test/connect-apps,${await appFolder([oak])}`
    onward = await openConnecting({ APPS_PATH: folders, PORT: String(port) })
    respondAsShelf(onward)
    const { clientId, clientSecret } = clientOf('post')
    const client = { client_id: clientId, client_secret: clientSecret }
    await onward.admin('put', '/admin/applications/app-1/oauth-clients/oak', client).expect(200)
    application = await openScriptedServer()
    application.respond(({ url: path }, response) => {
      const script = MODULES.get(path)
      response.writeHead(200, { 'content-type': script === undefined ? 'text/html' : 'text/javascript' }).end(script ?? OPENER)
    })
    await allow({ allowed_origins: ['https://elsewhere.example', application.url], allowed_redirects: [`${application.url}/done`] })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  beforeEach(async () => {
    consoleErrors.length = 0
    context = await browser.newContext({ viewport: { width: 375, height: 720 } })
  })
  afterEach(() => context.close())
  afterAll(async () => {
    await browser.close()
    await application.close()
    await provider.close()
  })

  it('reports a wrong key on the page, then connects with the right key and informs the application', async () => {
    const { opener, popup } = await openPopup('ada', 'shelf')
    await expectAccessible(popup)
    await popup.getByLabel('API key', { exact: true }).fill('wrong-key-0123456789')
    await popup.getByLabel('Server URL').fill(onward.third.url)
    await popup.keyboard.press('Enter')
    const alert = popup.getByRole('alert')
    await alert.waitFor()
    expect((await alert.textContent())?.trim()).toBe(
      'Shelf & Sons did not accept these credentials (401). Please check them and try again.',
    )
    // The browser moves the focus when it draws the page, which can be after the text is there.
    await popup.locator('[role="alert"]:focus').waitFor()
    expect(await popup.getByLabel('API key', { exact: true }).inputValue()).toBe('')
    await expectAccessible(popup)

    await popup.getByLabel('Server URL').fill('')
    await popup.getByRole('button', { name: 'Try again' }).click()
    await popup.getByText('Please correct this').waitFor()
    expect(await popup.getByText('API key must not be empty.').count()).toBe(2)
    await popup.getByRole('link', { name: 'Server URL must not be empty.' }).click()
    await popup.locator('[name="url"]:focus').waitFor()
    await popup.keyboard.type(onward.third.url)
    await popup.getByLabel('API key', { exact: true }).fill(SHELF_KEY)
    const closed = popup.waitForEvent('close')
    await popup.keyboard.press('Enter')
    const id = await receivedId(opener)
    await closed
    const { body } = await onward.user('ada').call('shelf-list-books', {}, `?connected_account_id=${id}`).expect(200)
    expect(body).toMatchObject({ network_code: 200, output: ['Sense'] })
    expect(consoleErrors).toEqual([])
  })

  it('signs in at a provider, also after the user first denied access', async () => {
    const { opener, popup } = await openPopup('grace', 'oak')
    await expectAccessible(popup)
    expect(await popup.getByRole('button').allTextContents()).toEqual(['Continue with Oak'])
    await popup.getByText('See who you are').waitFor()
    expect(await popup.getByText('offline_access').isVisible()).toBe(false)
    await popup.getByText('Permissions, as Oak names them').click()
    await popup.getByText('offline_access').waitFor()
    await popup.getByRole('button', { name: 'Continue with Oak' }).click()
    await popup.getByRole('link', { name: 'Deny' }).click()
    await popup.getByRole('heading', { name: 'Oak was not connected' }).waitFor()
    expect(await popup.getByText('You did not allow access').count()).toBe(1)
    await opener.waitForFunction('window.messages.length === 1')
    expect(await opener.evaluate('window.messages[0].data')).toEqual({ event: 'failed', code: 'access_denied' })
    await expectAccessible(popup)
    await popup.getByRole('link', { name: 'Try again' }).click()
    await popup.getByRole('button', { name: 'Continue with Oak' }).click()
    await popup.getByRole('link', { name: 'Allow' }).click()
    const id = await receivedId(opener)
    const { body } = await onward.user('grace').call('oak-get-me', {}, `?connected_account_id=${id}`).expect(200)
    expect(body.output).toEqual({ id: 'ada', name: 'Ada' })
    expect(consoleErrors).toEqual([])
  })

  it('hides a secret until the user shows it, takes a pasted one, and has the font of the console', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('paster'), 'shelf'))
    const field = page.getByLabel('API key', { exact: true })
    const hiding = () => page.evaluate(`getComputedStyle(document.getElementById('field-api_key')).webkitTextSecurity`)
    await page.evaluate(`navigator.clipboard.writeText(' ${SHELF_KEY} ')`)
    await field.focus()
    await page.keyboard.press('Control+V')
    expect(await hiding()).toBe('disc')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    expect(await hiding()).toBe('none')
    await page.getByRole('button', { name: 'Hide API key' }).click()
    expect(await hiding()).toBe('disc')
    await expectAccessible(page)
    expect(await page.evaluate('document.fonts.ready.then((fonts) => fonts.check("16px Inter"))')).toBe(true)
    await page.getByLabel('Server URL').fill(onward.third.url)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
    expect(consoleErrors).toEqual([])
  })

  it('starts again after the user has cancelled', async () => {
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('undecided'), 'shelf'))
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Shelf & Sons was not connected' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Try again' }).click()
    await enterShelf(page)
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
  })

  it('shows a success page when no window opened the login page', async () => {
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('alone'), 'shelf'))
    await enterShelf(page)
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
    await expectAccessible(page)
    expect(consoleErrors).toEqual([])
  })

  it('returns to the redirect_uri; the form-action policy does not block it', async () => {
    const page = await newPage()
    await page.goto((await loginUrlOf(onward.user('back'), 'shelf')) + back())
    await enterShelf(page)
    await page.waitForURL(DONE)
    expect(consoleErrors).toEqual([])
  })

  it('informs the opener and then returns to the redirect_uri in the same window', async () => {
    const { opener, popup } = await openPopup('both', 'oak', back())
    await popup.getByRole('button').click()
    await popup.getByRole('link', { name: 'Allow' }).click()
    await popup.waitForURL(DONE)
    expect(popup.url()).toBe(`${application.url}/done?authorization_id=${await receivedId(opener)}`)
    expect(consoleErrors).toEqual([])
  })

  it('informs only windows of an allowed origin', async () => {
    await allow({ allowed_origins: ['https://elsewhere.example'] })
    const { opener, popup } = await openPopup('unlisted', 'shelf')
    const closed = popup.waitForEvent('close')
    await enterShelf(popup)
    await closed
    expect(await opener.evaluate('window.messages')).toEqual([])
    await allow({ allowed_origins: [application.url] })
  })

  /** Calls a function of the browser entry on the client application's page. Returns the window that it opened. */
  async function callEntry(call: string): Promise<{ outcome: () => Promise<unknown>; popup: Page }> {
    const opener = await newPage()
    await opener.goto(application.url)
    await opener.evaluate(`import('/browser.ts').then((entry) => { window.entry = entry })`)
    const opened = opener.waitForEvent('popup')
    await opener.evaluate(`window.outcome = window.entry.${call}.then((value) => ({ value }), ({ reason }) => ({ reason })), undefined`)
    const popup = await opened
    await popup.waitForLoadState()
    return { outcome: () => opener.evaluate('window.outcome'), popup }
  }
  const connectCall = async (userId: string) =>
    `connectAccount(${JSON.stringify({ loginUrl: (await onward.user(userId).post('/connect/session', { app: 'shelf' }).expect(200)).body.url })})`

  it('resolves the promise of connectAccount with the account', async () => {
    const { outcome, popup } = await callEntry(await connectCall('entry'))
    await enterShelf(popup)
    const connected = await outcome()
    const { body } = await onward.user('entry').post('/connected-accounts/list').expect(200)
    expect(connected).toEqual({ value: { connectedAccountId: body.connected_accounts[0].id, confirmation: null } })
    expect(consoleErrors).toEqual([])
  })

  it.each<[string, (popup: Page) => Promise<unknown>]>([
    ['cancelled', (popup) => popup.getByRole('link', { name: 'Cancel' }).click()],
    ['closed', (popup) => popup.close()],
  ])('rejects the promise of connectAccount when the user has %s', async (reason, leave) => {
    const { outcome, popup } = await callEntry(await connectCall('entry'))
    await leave(popup)
    expect(await outcome()).toEqual({ reason })
    expect(consoleErrors).toEqual([])
  })

  it('shows, renames and disconnects accounts, until the window of manageAccounts is closed', async () => {
    const user = onward.user('manager')
    for (const desk of ['first', 'second']) await user.connect('desk', { api_key: desk })
    const { body } = await user.post('/connect/session', { manage: true }).expect(200)
    const { outcome, popup } = await callEntry(`manageAccounts(${JSON.stringify(body.url)})`)
    await expectAccessible(popup)
    await popup.getByRole('link', { name: 'Rename Desk' }).first().click()
    await expectAccessible(popup)
    await popup.getByLabel('Name').fill('Work')
    await popup.keyboard.press('Enter')
    await popup.getByRole('button', { name: 'Use by default Desk, Work' }).click()
    await popup.getByRole('button', { name: 'Use by default Desk', exact: true }).waitFor()
    await popup.getByRole('link', { name: 'Disconnect Desk, Work' }).click()
    await popup.getByRole('heading', { name: 'Disconnect Work?' }).waitFor()
    await expectAccessible(popup)
    await popup.getByRole('button', { name: 'Disconnect' }).click()
    await popup.getByRole('heading', { name: 'Your connected accounts' }).waitFor()
    expect(await popup.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Desk'])
    await popup.close()
    expect(await outcome()).toEqual({})
    expect(consoleErrors).toEqual([])
  })

  it('lets the user pick an app by typing, and tells the page that opened the picker what happens', async () => {
    const user = onward.user('picker')
    await user.connect('desk', { api_key: 'first' })
    const { body } = await user.post('/connect/session', { pick: true }).expect(200)
    const { outcome, popup } = await callEntry(
      `openPicker({ url: async () => ${JSON.stringify(body.url)}, onEvent: (event) => (window.events ??= []).push(event) })`,
    )
    await popup.getByRole('heading', { name: 'Connect an app' }).waitFor()
    await expectAccessible(popup)
    const apps = () => popup.getByRole('listitem').filter({ visible: true }).allInnerTexts()
    expect((await apps()).find((text) => text.includes('Desk'))).toMatch(/Connected$/)
    // It needs no account.
    expect((await apps()).filter((text) => /Clock/.test(text))).toEqual([])
    await popup.setViewportSize({ width: 1280, height: 800 })
    const place = () => popup.getByRole('main').boundingBox()
    const placed = await place()
    expect((placed?.y ?? 0) + (placed?.height ?? 0)).toBeLessThan(800)
    await popup.getByLabel('Search apps').fill('nothing like it')
    await popup.getByText('No app matches.').waitFor()
    expect(await place()).toEqual(placed)
    await popup.setViewportSize({ width: 375, height: 720 })
    await expectAccessible(popup)
    await popup.getByRole('link', { name: 'Clear the search' }).click()
    await popup.getByText('No app matches.').waitFor({ state: 'hidden' })
    expect((await apps())[0]).toMatch(/Desk\s+Connected$/)
    await popup.keyboard.type('library')
    expect(await apps()).toEqual(['Shelf & Sons'])
    await popup.getByLabel('Search apps').fill('sHeLf')
    expect(await apps()).toEqual(['Shelf & Sons'])
    await popup.keyboard.press('Tab')
    await popup.keyboard.press('Enter')
    const opener = await popup.opener()
    // A page that is left within milliseconds may not have sent its message.
    const isTold = async (type: string) =>
      await eventually(async () => expect(await opener?.evaluate('window.events')).toContainEqual(expect.objectContaining({ type })))
    await popup.getByRole('link', { name: 'Cancel' }).click()
    await isTold('cancelled')
    await popup.getByRole('link', { name: 'Shelf & Sons' }).click()
    await enterShelf(popup)
    await popup.getByText('ada@example.com', { exact: true }).waitFor()
    await isTold('connected')
    await popup.getByRole('link', { name: 'Disconnect Shelf & Sons, ada@example.com' }).click()
    await popup.getByRole('button', { name: 'Disconnect' }).click()
    await popup.getByRole('heading', { level: 2, name: 'Desk' }).waitFor()
    await isTold('disconnected')
    await popup.close()
    expect(await outcome()).toEqual({})
    const connectedAccountId = expect.any(Number)
    expect(await opener?.evaluate('window.events')).toEqual([
      { type: 'opened' },
      { type: 'cancelled' },
      { type: 'connected', connectedAccountId, confirmation: null },
      { type: 'disconnected', connectedAccountId },
      { type: 'closed' },
    ])
    expect(consoleErrors).toEqual([])
  })

  describe('of an application that confirms accounts', () => {
    beforeAll(async () => void (await allow({ confirm_accounts: true, allowed_origins: [application.url] })))
    afterAll(async () => void (await allow({ confirm_accounts: false })))

    const CONFIRM = /\/done\?authorization_id=(\d+)&confirmation=([\w-]{43})$/
    const confirm = (userId: string, { connectedAccountId: id, confirmation }: { connectedAccountId: number; confirmation: string }) =>
      onward.user(userId).post(`/connected-accounts/${id}/confirm`, { confirmation }).expect(200)

    it('hands the confirmation to the page that called connectAccount', async () => {
      const { outcome, popup } = await callEntry(await connectCall('confirming'))
      await enterShelf(popup)
      const { value } = (await outcome()) as { value: { connectedAccountId: number; confirmation: string } }
      const { body } = await confirm('confirming', value)
      expect(body).toMatchObject({ id: value.connectedAccountId, status: 'active' })
      expect(consoleErrors).toEqual([])
    })

    it('hands the confirmation to the page that called manageAccounts, for each account', async () => {
      const user = onward.user('managing')
      const { body } = await user.post('/connect/session', { app: 'shelf', manage: true }).expect(200)
      const { popup } = await callEntry(
        `manageAccounts(${JSON.stringify(body.url)}, { onConnected: (connected) => { window.connected = connected } })`,
      )
      await popup.getByRole('link', { name: /^Connect/ }).click()
      await enterShelf(popup)
      await popup.getByRole('heading', { name: 'Your connected accounts' }).waitFor()
      const connected = await (await popup.opener())?.evaluate('window.connected')
      await confirm('managing', connected as { connectedAccountId: number; confirmation: string })
      await popup.reload()
      await popup.getByText('ada@example.com', { exact: true }).waitFor()
      expect(consoleErrors).toEqual([])
    })

    it('tells the page that shows the opener in a frame', async () => {
      const parent = await newPage()
      await parent.goto(application.url)
      await parent.setContent(`<iframe src="${application.url.replace('127.0.0.1', 'localhost')}/frame"></iframe>`)
      await parent.evaluate(`window.messages = []; addEventListener('message', ({ data }) => window.messages.push(data))`)
      const frame = parent.frames()[1]
      const url = await loginUrlOf(onward.user('framed'), 'shelf')
      const [popup] = await Promise.all([
        parent.waitForEvent('popup'),
        frame?.evaluate(`window.open(${JSON.stringify(url)}, '_blank', 'popup'), undefined`),
      ])
      await enterShelf(popup)
      await parent.waitForFunction('window.messages.length > 0')
      expect(await parent.evaluate('window.messages')).toEqual([
        { authorization_id: expect.any(Number), confirmation: expect.stringMatching(/^[\w-]{43}$/) },
      ])
    })

    it('takes a link that no window opened to the page that confirms', async () => {
      const page = await newPage()
      await page.goto(await loginUrlOf(onward.user('linked'), 'shelf'))
      // A response of 204 leaves the page as it is, so that its accessibility can be checked.
      await page.route(CONFIRM, (route) => route.fulfill({ status: 204 }))
      const next = page.waitForRequest(CONFIRM)
      await enterShelf(page)
      await page.getByRole('heading', { name: 'Acme CRM must confirm this account' }).waitFor()
      const request = await next
      expect(request.isNavigationRequest()).toBe(true)
      await expectAccessible(page)
      const [, id = '', confirmation = ''] = CONFIRM.exec(request.url()) ?? []
      await confirm('linked', { connectedAccountId: Number(id), confirmation })
      expect(consoleErrors).toEqual([])
    })
  })

  it('works without scripts and on narrow screens', async () => {
    await context.close()
    context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 560 }, colorScheme: 'dark' })
    const page = await context.newPage()
    await page.goto(await loginUrlOf(onward.user('plain'), 'shelf'))
    await page.getByLabel('API key', { exact: true }).fill('wrong')
    await page.getByLabel('Server URL').fill(onward.third.url)
    await page.locator('button[type=submit]').click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').evaluate((alert) => alert.matches(':focus'))).toBe(true)
    await page.getByLabel('API key', { exact: true }).fill(SHELF_KEY)
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { name: 'Shelf & Sons is connected' }).waitFor()
    await page.goto((await loginUrlOf(onward.user('plain'), 'shelf')) + back())
    await enterShelf(page)
    await page.waitForURL(DONE)
  })

  it('cannot be shown in a frame', async () => {
    const page = await context.newPage()
    const url = await loginUrlOf(onward.user('framed'), 'shelf')
    await page.goto(application.url)
    await page.setContent(`<iframe src="${url}"></iframe>`)
    await page.waitForLoadState('networkidle')
    expect(await page.frameLocator('iframe').getByRole('heading', { name: 'Connect' }).count()).toBe(0)
  })

  it('hides its cookie from scripts', async () => {
    const page = await newPage()
    await page.goto(await loginUrlOf(onward.user('cookie'), 'shelf'))
    expect(await page.evaluate('document.cookie')).toBe('')
    const [cookie, ...others] = await context.cookies()
    expect(others).toEqual([])
    expect(cookie).toMatchObject({ name: 'onward-connect', httpOnly: true, sameSite: 'Lax', path: '/' })
  })
})

/** Returns a free port of 127.0.0.1. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

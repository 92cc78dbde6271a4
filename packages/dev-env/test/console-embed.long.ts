import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Body,
  confirmOwnAccount,
  connectAccount,
  createEmbedSession,
  endEmbedSessions,
  listOwnAccounts,
  putApplication,
  putInsightsApplication,
  setUserLimits,
} from '@onward/contract'
import { send } from '@onward/contract-client'
import { eventually } from '@onward/testbed'
import type { Browser, BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import { APP_KEY } from './both-areas.ts'
import { describeWithBrowser, expectAccessible, openBrowser, openPage } from './console-page.ts'
import { openProduct, type Product, USER_ID, WORKSPACE_ID } from './console-product.ts'

jest.setTimeout(180_000)

const query = { app_key: APP_KEY }
type Wanted = Partial<Body<typeof createEmbedSession>>

/** A page of an application, with the address of the frame in its query. It keeps the events of the frame. */
const PARENT = `<!doctype html><html lang="en"><title>Parent</title><h1>Settings</h1><iframe title="Usage" width="100%" height="200"></iframe>
<script>
  const frame = document.querySelector('iframe')
  window.events = []
  addEventListener('message', ({ data, origin, source }) => {
    if (source !== frame.contentWindow) return
    events.push({ ...data, origin })
    if (data.type === 'height') frame.height = data.height
  })
  frame.src = decodeURIComponent(location.hash.slice(1))
</script>`

async function openParent(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const server: Server = createServer((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end(PARENT))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

describeWithBrowser('the embedded page in Chromium', () => {
  let onward: Product
  let browser: Browser
  let parent: Awaited<ReturnType<typeof openParent>>
  let foreign: Awaited<ReturnType<typeof openParent>>
  const pages: Page[] = []

  beforeAll(async () => {
    onward = await openProduct()
    browser = await openBrowser()
    ;[parent, foreign] = await Promise.all([openParent(), openParent()])
    await send(onward.insightsAdmin, putInsightsApplication, {
      params: { app_key: APP_KEY },
      body: { workspace_id: WORKSPACE_ID, embed_origins: [parent.origin] },
    })
    await send(onward.partner, setUserLimits, { query, body: [{ user_id: USER_ID, allowed_tasks: 5 }] })
    for (let i = 0; i < 4; i++) await onward.call(USER_ID, 'addressbook-list-contacts', { page_size: 2 })
    await onward.counted(USER_ID, 4)
  })
  afterEach(async () => {
    for (const page of pages.splice(0)) await page.context().close()
  })
  afterAll(async () => {
    await browser.close()
    await parent.close()
    await foreign.close()
    await onward.close()
  })

  async function link(body: Wanted = {}): Promise<string> {
    return (await send(onward.partner, createEmbedSession, { query, body: { user_id: USER_ID, views: ['usage'], ...body } })).url
  }

  async function open(url: string, options?: BrowserContextOptions) {
    const opened = await openPage(browser, options)
    pages.push(opened.page)
    await opened.page.goto(url)
    return opened
  }

  const framed = async (url: string, by = parent, options?: BrowserContextOptions) => {
    const opened = await open(`${by.origin}/#${encodeURIComponent(url)}`, options)
    return { ...opened, frame: opened.page.frameLocator('iframe') }
  }

  const dress = (connect_pages: object) =>
    send(onward.functionsAdmin, putApplication, {
      params: { app_key: APP_KEY },
      body: { workspace_id: WORKSPACE_ID, name: 'Shop', connect_pages },
    })

  /** Presses the button that closes the window after this returns, because a click fails if its page closes meanwhile. */
  const closeBy = (popup: Page) =>
    popup
      .getByRole('button', { name: 'Close this window' })
      .evaluate((button) => void setTimeout(() => (button as unknown as { click(): void }).click()))

  type Event = { type: string; version: number; origin: string; height?: number; views?: string[]; code?: string }
  const eventsOf = (page: Page) => page.evaluate('events') as Promise<Event[]>
  const figure = (root: Page | FrameLocator) => root.getByText('4 of 5 tasks used')
  const withQuery = (url: string, search: Record<string, string>) => {
    const changed = new URL(url)
    for (const [name, value] of Object.entries(search)) changed.searchParams.set(name, value)
    return changed.href
  }

  it('shows usage as a page of its own, without its code in the address, and is accessible and fits 320 pixels', async () => {
    const url = await link({ views: ['usage', 'accounts'], return_url: `${parent.origin}/back` })
    const { page, problems } = await open(url)
    await figure(page).waitFor()
    await page.getByText('You have used 80% of your limit').waitFor()
    await page.getByRole('heading', { name: 'Connected accounts', level: 2 }).waitFor()
    await page.getByText('Address book', { exact: true }).first().waitFor()
    expect(page.url()).toBe(url.replace(/#.*/, ''))
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, document.cookie])')).toBe('[{},{},null,""]')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width: 1_000, height: 800 })
      await expectAccessible(page, colorScheme)
      await page.setViewportSize({ width: 320, height: 640 })
      await eventually(async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320))
      const heights = await page.evaluate(`[...document.querySelectorAll('a, button')].map((each) => each.getBoundingClientRect().height)`)
      expect(Math.min(...(heights as number[]))).toBeGreaterThanOrEqual(44)
    }
    await page.getByRole('link', { name: 'Back' }).press('Enter')
    await page.waitForURL(`${parent.origin}/back`)
    expect(problems).toEqual([])
  })

  it('opens a link once, does not survive a reload, and leads back', async () => {
    const url = await link({ return_url: `${parent.origin}/back` })
    const { page } = await open(url)
    await figure(page).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Open this page again' }).waitFor()
    const again = await open(url)
    await again.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    await expectAccessible(again.page)
    await again.page.getByRole('link', { name: 'Go back' }).press('Enter')
    await again.page.waitForURL(`${parent.origin}/back`)
  })

  it('leads back through the history after a reload, when the link has no return_url', async () => {
    const { page } = await open(`${parent.origin}/#about:blank`)
    await page.goto(await link())
    await figure(page).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Open this page again' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Go back' }).press('Enter')
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
  })

  it('asks the page around it for a new link when its frame is reloaded', async () => {
    const { page, frame } = await framed(await link())
    await figure(frame).waitFor()
    await page.frames()[1]?.evaluate('location.reload()')
    await frame.getByRole('heading', { name: 'Open this page again' }).waitFor()
    await eventually(async () => expect((await eventsOf(page)).map(({ type }) => type)).toContain('expired'))
    expect(await frame.getByRole('button', { name: 'Go back' }).count()).toBe(0)
  })

  it('tells the page around it which accounts the user connects and disconnects in the picker', async () => {
    const user_id = 'picker@example.com'
    const { page, frame, problems } = await framed(await link({ user_id, views: ['accounts'] }))
    const [picker] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('button', { name: 'Connect an app' }).press('Enter')])
    await picker.getByLabel('Search apps').fill('address book')
    await picker.getByRole('link', { name: 'Address book' }).click()
    await picker.getByLabel('Server URL').fill(onward.book.url)
    await picker.getByLabel('API key', { exact: true }).fill(onward.book.apiKey)
    await picker.getByRole('button', { name: 'Connect', exact: true }).click()
    await picker.getByRole('heading', { name: 'Your connected accounts' }).waitFor()
    await picker.close()
    await frame.getByText('Address book', { exact: true }).waitFor()
    const [account] = (await send(onward.clientOf(user_id), listOwnAccounts, { body: {} })).connected_accounts
    const event = { source: 'onward-embed', version: 1, connected_account_id: account?.id, origin: onward.url }
    await eventually(async () => expect(await eventsOf(page)).toContainEqual({ ...event, type: 'connected' }))
    const [manage] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('button', { name: 'Manage accounts' }).press('Enter')])
    await manage.getByRole('link', { name: /^Disconnect/ }).click()
    await manage.getByRole('button', { name: 'Disconnect' }).click()
    await manage.getByRole('heading', { name: 'Your connected accounts' }).waitFor()
    await manage.close()
    await eventually(async () => expect(await eventsOf(page)).toContainEqual({ ...event, type: 'disconnected' }))
    expect(problems).toEqual([])
  })

  it('is shown in a frame of an allowed origin, and tells only that page what happens', async () => {
    const { page, frame, problems } = await framed(await link())
    await figure(frame).waitFor()
    await eventually(async () => {
      const events = await eventsOf(page)
      expect(events).toContainEqual({ source: 'onward-embed', version: 1, type: 'ready', views: ['usage'], origin: onward.url })
      expect(events.filter(({ type }) => type === 'height').at(-1)?.height).toBeGreaterThan(300)
    })
    const inner = page.frames()[1]
    await eventually(async () => expect(await inner?.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0))
    await send(onward.partner, endEmbedSessions, { query, body: { user_id: USER_ID } })
    await inner?.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await frame.getByRole('heading', { name: 'This page has expired' }).waitFor()
    await eventually(async () => expect((await eventsOf(page)).map(({ type }) => type)).toContain('expired'))
    expect(problems).toEqual([])
  })

  it('is shown in no frame of another origin', async () => {
    const wanted: [typeof parent, Wanted][] = [
      [foreign, {}],
      [parent, { parent_origins: [] }],
    ]
    for (const [by, body] of wanted) {
      const { page, frame, problems } = await framed(await link(body), by)
      await eventually(() => expect(problems.join()).toMatch(/frame-ancestors/))
      expect(await figure(frame).count()).toBe(0)
      expect(await eventsOf(page)).toEqual([])
    }
  })

  it('tells the parent that a link was used before', async () => {
    const url = await link()
    await figure((await framed(url)).frame).waitFor()
    const { page } = await framed(url)
    await eventually(async () =>
      expect(await eventsOf(page)).toContainEqual(expect.objectContaining({ type: 'error', code: 'link_invalid' })),
    )
  })

  it('has the theme, the colour, the margins and the language that the link asks for', async () => {
    const url = withQuery(await link({ locale: 'de' }), { theme: 'dark', primary: 'ffee00', gutters: '0' })
    const { page, frame, problems } = await framed(url, parent, { colorScheme: 'light', timezoneId: 'Asia/Tokyo' })
    await frame.getByText('4 von 5 Aufgaben verbraucht').waitFor()
    const inner = page.frames()[1]
    const styleOf = (selector: string, name: string) =>
      inner?.evaluate(`getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${name}')`)
    expect(await styleOf('main > div', 'background-color')).toBe('rgb(20, 24, 32)')
    expect(await styleOf('h1', 'color')).toBe('rgb(232, 236, 242)')
    expect(await styleOf('#root > div', 'padding')).toBe('0px')
    expect(await styleOf(':root', '--accent')).toContain('#ffee00')
    await frame.getByText(/^\d+\. \w+ \d{4} um \d\d:\d\d GMT\+9$/).waitFor()
    expect(await inner?.evaluate('document.documentElement.lang')).toBe('de')
    expect(problems).toEqual([])
  })

  it('has the accent and the theme of the application, and the language of the browser', async () => {
    await dress({ accent: '#0f7b4f', theme: 'dark' })
    const { page, problems } = await open(await link(), { colorScheme: 'light', locale: 'fr-CA' })
    await page.getByText(/^dans \d+ jours$/).waitFor()
    await page.getByRole('listitem').filter({ hasText: 'Limite' }).waitFor()
    await page.getByText('4 tâches utilisées sur 5').waitFor()
    await page.getByRole('button', { name: /^Afficher en tableau/ }).press('Enter')
    await page.getByRole('columnheader', { name: 'Heure' }).waitFor()
    await page.getByRole('button', { name: /^Afficher en graphique/ }).press('Enter')
    expect(await page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('--accent')`)).toContain('#0f7b4f')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    await expectAccessible(page)
    await dress({})
    expect(problems).toEqual([])
  })

  it('connects an account again in a window of its own, and lists accounts of its user only', async () => {
    await onward.connect('ann@example.com')
    const { page, frame, problems } = await framed(await link({ views: ['accounts'] }))
    await frame.getByRole('heading', { name: 'Connected accounts', level: 2 }).waitFor()
    const own = await send(onward.clientOf(USER_ID), listOwnAccounts, { body: {} })
    await eventually(async () => expect(await frame.getByRole('listitem').count()).toBe(own.connected_accounts.length))
    const [popup] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('button', { name: 'Manage accounts' }).press('Enter')])
    await popup.getByRole('heading', { name: 'Your connected accounts' }).waitFor()
    expect(new URL(popup.url()).pathname).toMatch(/^\/connect\/accounts\//)
    await frame.getByText('Continue in the window that has opened').waitFor()
    await closeBy(popup)
    await frame.getByText('Continue in the window that has opened').waitFor({ state: 'detached' })
    const [picker] = await Promise.all([page.waitForEvent('popup'), frame.getByRole('button', { name: 'Connect an app' }).press('Enter')])
    await picker.getByRole('heading', { name: 'Connect an app' }).waitFor()
    await picker.getByRole('link', { name: 'Your connected accounts' }).click()
    await closeBy(picker)
    await frame.getByText('Continue in the window that has opened').waitFor({ state: 'detached' })
    expect(problems).toEqual([])
  })

  it('hands the confirmation of an account that is connected again to the page around its frame', async () => {
    const broken = { user_id: 'broken@example.com', app: 'addressbook', credentials: { url: onward.book.url, api_key: 'not-the-key' } }
    await send(onward.functionsAdmin, connectAccount, { params: query, body: broken })
    await onward.call(broken.user_id, 'addressbook-get-owner')
    const confirming = (confirm_accounts: boolean, allowed_origins: string[]) =>
      send(onward.functionsAdmin, putApplication, {
        params: query,
        body: { workspace_id: WORKSPACE_ID, name: 'Shop', confirm_accounts, allowed_origins },
      })
    await confirming(true, [parent.origin])
    try {
      const { page, frame } = await framed(await link({ user_id: broken.user_id, views: ['accounts'] }))
      await page.evaluate(`addEventListener('message', ({ data }) => { if (data.confirmation) window.connected = data })`)
      const reconnect = frame.getByRole('button', { name: /^Reconnect/ })
      const [popup] = await Promise.all([page.waitForEvent('popup'), reconnect.press('Enter')])
      await popup.getByLabel('Server URL').fill(onward.book.url)
      await popup.getByLabel('API key', { exact: true }).fill(onward.book.apiKey)
      await popup.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.waitForFunction('window.connected !== undefined')
      const { authorization_id: id, confirmation } = (await page.evaluate('window.connected')) as {
        authorization_id: number
        confirmation: string
      }
      const user = onward.clientOf(broken.user_id)
      await send(user, confirmOwnAccount, { params: { id: String(id) }, body: { confirmation } })
      const { connected_accounts } = await send(user, listOwnAccounts, { body: {} })
      expect(connected_accounts.map(({ status }) => status)).toContain('active')
    } finally {
      await confirming(false, [])
    }
  })

  it('shows each part even if another one fails, and tries again', async () => {
    const opened = await openPage(browser)
    pages.push(opened.page)
    await opened.page.route('**/embed/api/functions/**', (route) => route.abort())
    await opened.page.goto(await link({ views: ['usage', 'accounts'] }))
    await figure(opened.page).waitFor()
    await opened.page.getByText('Connected accounts could not be loaded.').waitFor()
    await opened.page.unroute('**/embed/api/functions/**')
    await opened.page.getByRole('button', { name: 'Try again' }).press('Enter')
    await opened.page.getByText('Address book', { exact: true }).first().waitFor()
  })

  it('says in tasks, and in no percentage above 100, how far usage is over the limit', async () => {
    await send(onward.partner, setUserLimits, { query, body: [{ user_id: USER_ID, allowed_tasks: 1 }] })
    try {
      const { page } = await open(await link({ locale: 'de' }))
      await page.getByText('3 über dem Limit').waitFor()
      const percentages = await page
        .getByText(/\d\s?%/)
        .filter({ visible: true })
        .allTextContents()
      expect(percentages.map((text) => text.replace(/\s/g, ' '))).toEqual(['80 %'])
      await expectAccessible(page)
    } finally {
      await send(onward.partner, setUserLimits, { query, body: [{ user_id: USER_ID, allowed_tasks: 5 }] })
    }
  })

  it('says what the limit means when it is reached', async () => {
    const limitUrl = `${new URL(parent.origin.replace('http:', 'https:')).origin}/plan`
    await dress({ limit_url: limitUrl })
    const allowed = await link({ user_id: 'over@example.com' })
    await send(onward.partner, setUserLimits, { query, body: [{ user_id: 'over@example.com', allowed_tasks: 0 }] })
    const { page } = await open(allowed)
    await page.getByText('You have reached your limit').waitFor()
    await page.getByText('Actions in your connected apps still work.').waitFor()
    await page.getByText(/^The period begins with your first task\. It lasts 30 days\.$/).waitFor()
    const raise = page.getByRole('link', { name: 'Raise the limit' })
    expect([await raise.getAttribute('href'), await raise.getAttribute('target')]).toEqual([limitUrl, '_top'])
    await expectAccessible(page)
    await dress({})
  })
})

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sendJson } from '@onward/testbed'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { expectAccessible } from '../support/accessible.ts'
import { importCards } from '../support/cards.ts'
import { type Functions, openFunctions, type User } from '../support/support.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test the page of an approval.\n`)
const describeWithBrowser = hasBrowser ? describe : describe.skip
const PICTURES = join(process.cwd(), '.onward/pictures')
const CONTACT = { id: 7, name: 'Ada Lovelace', email: 'ada@example.com', note: `Met at ${'the-longest-word'.repeat(20)}` }
const PICTURE = { base64: Buffer.from('a picture').toString('base64'), name: `${'card-of-ada-'.repeat(10)}.png`, content_type: 'image/png' }

let onward: Functions
let browser: Browser
let cardUser: () => Promise<User>

describeWithBrowser('the page of an approval in Chromium', () => {
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    onward = await openFunctions()
    cardUser = await importCards(onward)
    const rules = [{ types: ['ACTION'], apps: ['cards'], result: 'ask', message: 'Contacts are changed by people.' }]
    await onward.admin('put', '/admin/applications/app-1/policy', { rules }).expect(200)
    onward.third.respond(({ method, url }, response) => {
      if (url === '/boxes') return sendJson(response, 200, [{ id: 'b1', title: 'Customers' }])
      sendJson(response, method === 'GET' && url !== '/contacts/8' ? 200 : 404, CONTACT)
    })
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  }, 60_000)
  afterAll(async () => await browser?.close())

  /** Makes a call that asks, signs its user in, and opens the page in a window. */
  async function open(name: string, args: object, viewport = { width: 1280, height: 900 }, reader: BrowserContextOptions = {}) {
    const user = await cardUser()
    const { approval_url: url } = (await user.call(name, args).expect(403)).body
    const context = await browser.newContext({ viewport, ...reader })
    const page = await context.newPage()
    await page.goto((await user.post('/mcp/sign-in/link').expect(200)).body.url)
    await page.getByRole('button', { name: 'Sign in' }).press('Enter')
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    await page.goto(url)
    return { user, page, call: () => user.call(name, args), close: () => context.close() }
  }

  async function takePictures(page: Page, name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(PICTURES, `approval-${name}-${colorScheme}.png`), fullPage: true })
    }
  }

  it.each<[string, number]>([
    ['desktop', 1280],
    ['phone', 390],
    ['small phone', 320],
  ])('shows the contact, the ids, the files and the request on a %s, and is decided by keyboard', async (device, width) => {
    const args = { contact_id: '7', box_id: 'b1', note: 'x'.repeat(400), picture: PICTURE }
    const { page, call, close } = await open('cards-attach-contact', args, { width, height: 800 })
    await page.getByRole('heading', { name: 'Approve “Attach contact”?' }).waitFor()
    for (const name of ['Now', 'What its ids stand for', 'Its files']) await page.getByRole('heading', { name, exact: true }).waitFor()
    for (const text of ['Ada Lovelace', 'b1 (Customers)', 'Contacts are changed by people.']) await page.getByText(text).waitFor()
    await expectAccessible(page)
    await takePictures(page, device.replace(' ', '-'))
    const details = page.getByText('The exact request')
    if (!(await page.getByRole('region', { name: 'The exact request' }).isVisible())) await details.press('Enter')
    await page.getByRole('region', { name: 'The exact request' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    await page.getByRole('heading', { name: '“Attach contact” is approved' }).waitFor()
    await expectAccessible(page)
    await call().expect(200)
    await close()
  })

  it('shows until when in the zone of the reader', async () => {
    const { page, close } = await open('cards-delete-contact', { contact_id: '7' }, undefined, {
      locale: 'en-GB',
      timezoneId: 'Asia/Kolkata',
    })
    await page.locator('time', { hasText: /^\d+ \w+ \d{4} at \d\d:\d\d GMT\+5:30$/ }).waitFor()
    await close()
  })

  it('says that the present object could not be read, and takes a refusal with its reason', async () => {
    const { page, call, close } = await open('cards-delete-contact', { contact_id: '8' })
    await page.getByText('What the call changes could not be read: Cards answered 404.').waitFor()
    await expectAccessible(page)
    await takePictures(page, 'unread')
    await page.getByRole('button', { name: 'Refuse' }).press('Enter')
    await page.getByRole('heading', { name: 'Refuse “Delete contact”?' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Reason').fill('Ada is needed.')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '“Delete contact” is refused' }).waitFor()
    await expectAccessible(page)
    expect((await call().expect(403)).body).toMatchObject({ code: 'approval_refused', error: 'Ada is needed.' })
    await close()
  })
})

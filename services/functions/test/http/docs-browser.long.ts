import { existsSync } from 'node:fs'
import { eventually } from '@onward/testbed'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { useFunctions } from '../support/support.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test the API reference in a browser.\n`)
const describeWithBrowser = hasBrowser ? describe : describe.skip

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

describeWithBrowser('the API reference in Chromium', () => {
  const onward = useFunctions()
  let browser: Browser

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  })
  afterAll(async () => await browser.close())

  /** Opens a page in a browser that reaches this machine only. `problems` gets each other request, and each error of the page. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; problems: string[] }> {
    const problems: string[] = []
    const context = await browser.newContext(options)
    await context.route(
      ({ hostname }) => hostname !== '127.0.0.1',
      (route) => {
        problems.push(`asked ${route.request().url()}`)
        return route.abort()
      },
    )
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (err) => problems.push(String(err)))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    await page.goto(`${onward.url}${path}`)
    return { page, problems }
  }

  const widthBeyond = (page: Page) => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  const lightness = (page: Page) =>
    page.evaluate(`(() => {
      const [red, green, blue] = getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)
      return (red + green + blue) / 3
    })()`) as Promise<number>

  it.each([
    ['functions', '', 'Call a function'],
    ['insights', '?api=insights', 'Task status of one user'],
  ])('shows the operations of %s without a request to another host', async (_area, query, summary) => {
    const { page, problems } = await open(`/docs${query}`)
    await page.getByText(summary).first().waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  it('fits a phone and follows its dark mode', async () => {
    for (const [path, text] of [
      ['/docs', 'Onward functions'],
      ['/docs/errors', 'What to do'],
      ['/docs/hash', 'What is usually wrong'],
      ['/docs/mcp', 'Who the user is'],
      ['/docs/mcp/own-page', 'agents.mjs'],
      ['/docs/mcp/openid', 'redirect_url'],
      ['/docs/mcp/link', 'On the command line'],
    ] as const) {
      const { page, problems } = await open(path, { ...PHONE, colorScheme: 'dark' })
      await page.getByText(text).first().waitFor()
      // The reference is laid out again when its parts have arrived.
      await eventually(async () => expect([path, await widthBeyond(page)]).toEqual([path, 0]), 60_000)
      expect(await lightness(page)).toBeLessThan(60)
      expect(problems).toEqual([])
      await page.context().close()
    }
  })
})

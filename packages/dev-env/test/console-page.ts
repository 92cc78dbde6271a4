import { existsSync } from 'node:fs'
import { eventually } from '@onward/testbed'
import { type AxeResults, source as axe } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test the console in a browser.\n`)

/** `describe`, or `describe.skip` on a machine without Chromium. */
export const describeWithBrowser = hasBrowser ? describe : describe.skip

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: ['--no-sandbox'] })

export type Opened = {
  readonly page: Page
  /** Requests to other hosts, errors of the page, and violations of its content security policy. A good page has none. */
  readonly problems: string[]
}

/** Opens an empty page in a separate context, without cookies and storage of other pages. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const problems = watch(page)
  await page.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    (route) => {
      problems.push(`asked ${route.request().url()}`)
      return route.abort()
    },
  )
  return { page, problems }
}

function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (err) => problems.push(String(err)))
  page.on('console', (message) => {
    // The browser reports each 401. A service answers 401 to a person who is not signed in.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) problems.push(message.text())
  })
  void page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.error('policy', violatedDirective, blockedURI, sample))`)
  return problems
}

const TRANSITIONS = 'document.getAnimations().filter((each) => each instanceof CSSTransition).length'

/** Checks a page for the accessibility rules that a script can check: in both themes, or in one. */
export async function expectAccessible(page: Page, ...themes: ('dark' | 'light')[]): Promise<void> {
  await page.evaluate(axe)
  for (const colorScheme of themes.length > 0 ? themes : (['dark', 'light'] as const)) {
    await page.emulateMedia({ colorScheme })
    // Colours change in a short transition.
    await eventually(async () => expect(await page.evaluate(TRANSITIONS)).toBe(0))
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)])).toEqual([])
  }
}

/** Checks that nothing is wider than the window, and that the document itself does not scroll. */
export async function expectFits(page: Page): Promise<void> {
  // Charts follow a new width of the window only after the next frame.
  await eventually(async () => {
    const beyond = await page.evaluate(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.documentElement)`)
    expect(beyond).toEqual([0, 0])
  })
}

/** Reads a secret that is shown once, checks that the page keeps it nowhere, and closes the dialog. */
export async function takeSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const code = dialog.locator('code').first()
  expect(await code.textContent()).toContain('•')
  await dialog.getByRole('button', { name: 'Show secret' }).click()
  const secret = (await code.textContent()) ?? ''
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('Close without copying?').waitFor()
  await dialog.getByRole('button', { name: 'Stay here' }).click()
  await dialog.getByRole('checkbox', { name: 'I have stored it' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const kept = await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state, location.href]) + document.body.innerHTML')
  expect(kept).not.toContain(secret)
  return secret
}

/**
 * Makes a change when the page has sent its next PUT request to `url`, and before the service gets it. So the page cannot have read the change
 * by a refresh before.
 */
export async function changeBeforePut(page: Page, url: string, change: () => Promise<unknown>): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() === 'PUT') {
      await page.unroute(url)
      await change()
    }
    await route.fallback()
  })
}

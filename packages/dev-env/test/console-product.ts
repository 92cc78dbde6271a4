import { existsSync } from 'node:fs'
import { readConfig, startInsights } from '@onward/insights'
import { areaEnv, eventually, openSuite } from '@onward/testbed'
import { type AxeResults, source as axe } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { buildConsole } from '../src/start/build-console.ts'

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
const hasBrowser = existsSync(executablePath)
if (!hasBrowser) process.stderr.write(`No Chromium at ${executablePath}; set CHROMIUM_PATH to test the console in a browser.\n`)

/** `describe`, or `describe.skip` on a machine without Chromium. */
export const describeWithBrowser = hasBrowser ? describe : describe.skip

type Answer = { readonly status?: number; readonly body: unknown }
/** What the APIs answer, by method and path below `/console/api`, without the query. A request for anything else is a problem. */
export type Answers = Record<string, Answer | ((body: unknown) => Answer)>

type Opened = {
  readonly page: Page
  /** Requests to other hosts, errors of the page, and violations of its content security policy. A good page has none. */
  readonly problems: string[]
  /** The requests to the APIs, such as `POST /insights/admin/session/renew`. */
  readonly asked: string[]
}

export type Console = {
  /** Where insights serves the console, with a slash at the end. */
  readonly url: string
  open(path: string, answers: Answers, options?: BrowserContextOptions): Promise<Opened>
  close(): Promise<void>
}

/** Builds the console and opens insights, which serves it, and Chromium. */
export async function openConsole(): Promise<Console> {
  const [folder, suite] = await Promise.all([buildConsole(process.cwd()), openSuite('insights')])
  const insights = await startInsights(readConfig(areaEnv(suite), { console: folder }))
  const browser: Browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return {
    url: `${insights.url}/console/`,
    async open(path, answers, options = {}) {
      const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const opened: Opened = { page, problems: watch(page), asked: [] }
      await page.route(
        ({ hostname }) => hostname !== '127.0.0.1',
        (route) => {
          opened.problems.push(`asked ${route.request().url()}`)
          return route.abort()
        },
      )
      await page.route('**/console/api/**', async (route) => {
        const request = route.request()
        const name = `${request.method()} ${new URL(request.url()).pathname.replace('/console/api', '')}`
        opened.asked.push(name)
        if (request.headers()['x-onward-console'] !== '1') opened.problems.push(`${name} has no X-Onward-Console`)
        const found = answers[name]
        if (found === undefined) opened.problems.push(`no answer for ${name}`)
        const { status = 200, body } = (typeof found === 'function' ? found(request.postDataJSON()) : found) ?? NOT_FOUND
        await route.fulfill({ status, json: body })
      })
      await page.goto(`${insights.url}/console/${path}`)
      return opened
    },
    async close() {
      await browser.close()
      await insights.close()
      await suite.close()
    },
  }
}

const NOT_FOUND: Answer = { status: 404, body: errorOf('not_found', 'there is no such endpoint') }

/** The body of an error answer. */
export function errorOf(code: string, error: string): object {
  return { error, error_details: [], code, request_id: 'request-of-the-tests' }
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

/** Checks a page in both themes for the accessibility rules that a script can check. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours change in a short transition.
    await eventually(async () => expect(await page.evaluate(TRANSITIONS)).toBe(0))
    const { violations } = (await page.evaluate('axe.run()')) as AxeResults
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)])).toEqual([])
  }
}

/** Checks that nothing is wider than the window, and that the document itself does not scroll. */
export async function expectFits(page: Page): Promise<void> {
  const beyond = await page.evaluate(`(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
    [scrollWidth - clientWidth, scrollHeight - clientHeight])(document.documentElement)`)
  expect(beyond).toEqual([0, 0])
}

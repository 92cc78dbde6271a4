import { readConfig, startInsights } from '@onward/insights'
import { areaEnv, openSuite } from '@onward/testbed'
import type { BrowserContextOptions } from 'playwright-core'
import { buildConsole } from '../src/start/build-console.ts'
import { type Opened, openBrowser, openPage } from './console-page.ts'

type StubbedResponse = { readonly status?: number; readonly body: unknown }
/** What the APIs answer, by method and path below `/console/api`, without the query. Anything else does not exist. */
export type Responses = Record<string, StubbedResponse | ((body: unknown, query: Record<string, string>) => StubbedResponse)>

export type Console = {
  /** Where insights serves the console, with a slash at the end. */
  readonly url: string
  /** `asked` has the requests to the APIs, such as `POST /insights/admin/session/renew`. */
  open(path: string, answers: Responses, options?: BrowserContextOptions): Promise<Opened & { readonly asked: string[] }>
  close(): Promise<void>
}

/** Builds the console and opens insights, which serves it, and Chromium. */
export async function openConsole(): Promise<Console> {
  const [folder, suite] = await Promise.all([buildConsole(process.cwd()), openSuite('insights')])
  const insights = await startInsights(readConfig(areaEnv(suite), { console: folder }))
  const browser = await openBrowser()
  return {
    url: `${insights.url}/console/`,
    async open(path, answers, options = {}) {
      const { page, problems } = await openPage(browser, options)
      const asked: string[] = []
      await page.route('**/console/api/**', async (route) => {
        const request = route.request()
        const { pathname, searchParams } = new URL(request.url())
        const name = `${request.method()} ${pathname.replace('/console/api', '')}`
        asked.push(name)
        if (request.headers()['x-onward-console'] !== '1') problems.push(`${name} has no X-Onward-Console`)
        const found = answers[name]
        const { status = 200, body } =
          (typeof found === 'function' ? found(request.postDataJSON(), Object.fromEntries(searchParams)) : found) ?? NOT_FOUND
        await route.fulfill({ status, json: body })
      })
      await page.goto(`${insights.url}/console/${path}`)
      return { page, problems, asked }
    },
    async close() {
      await browser.close()
      await insights.close()
      await suite.close()
    },
  }
}

const NOT_FOUND: StubbedResponse = { status: 404, body: errorOf('not_found', 'there is no such endpoint') }

/** The body of an error response. */
export function errorOf(code: string, error: string): object {
  return { error, error_details: [], code, request_id: 'request-of-the-tests' }
}

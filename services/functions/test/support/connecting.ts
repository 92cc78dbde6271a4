import request from 'supertest'
import { type Functions, openFunctions, type User, useFunctions } from './support.ts'
import { unescapeHtml } from './unescape-html.ts'

const CONNECT_APPS = { APPS_PATH: 'services/functions/test/connect-apps' }

/** Starts the service with the apps of `connect-apps` in addition to the other test apps. */
export function openConnecting(env: Readonly<Record<string, string>> = {}): Promise<Functions> {
  return openFunctions({ env: { ...CONNECT_APPS, ...env } })
}

export const SHELF_KEY = 'shelf-key-0123456789'

/** Makes the third party answer as the app Shelf: it knows one key, which belongs to `reader`. */
export function respondAsShelf(onward: Functions, reader: unknown = { id: 7, email: 'ada@example.com' }): void {
  onward.third.respond(({ headers, url }, response) => {
    const known = headers['x-shelf-key'] === SHELF_KEY
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(known ? (url === '/me' ? { reader } : { books: ['Sense'] }) : { error: 'no' }))
  })
}

/** Starts the service for all tests of a file, with the app Shelf as its third party. */
export function useShelf() {
  const onward = useFunctions({ env: CONNECT_APPS })
  beforeEach(() => respondAsShelf(onward))
  return {
    onward,
    /** Returns the form fields that a user fills in to connect Shelf. */
    shelf: (key = SHELF_KEY) => ({ api_key: key, url: onward.third.url }),
    /** Opens the login page of Shelf in a new browser. */
    async openShelf(userId: string): Promise<{ browser: ReturnType<typeof openBrowser>; url: string; page: Page }> {
      const browser = openBrowser()
      const url = await loginUrlOf(onward.user(userId), 'shelf')
      return { browser, url, page: await browser.open(url) }
    },
  }
}

export async function loginUrlOf(user: User, app: string): Promise<string> {
  const { body } = await user.post(`/apps/${app}/get`).expect(200)
  return body.login_url
}

export type Page = request.Response

/** A minimal browser: keeps cookies and follows no redirect. With `at`, all requests go to that service, whatever the host of the URL. */
export function openBrowser(at?: Pick<Functions, 'url'>) {
  const cookies = new Map<string, string>()

  function send(test: request.Test): request.Test {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return (cookie === '' ? test : test.set('cookie', cookie)).redirects(0).ok(() => true)
  }
  function keep(page: Page): Page {
    for (const line of [page.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return page
  }
  return {
    cookies,
    async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
      const { origin, pathname, search } = new URL(url)
      return keep(
        await send(
          request(at?.url ?? origin)
            .get(pathname + search)
            .set(headers),
        ),
      )
    },
    /** Submits the form of a page as a browser does. */
    async submit(
      page: Page,
      fields: Readonly<Record<string, string | readonly string[]>> = {},
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Page> {
      const { origin, pathname } = new URL(actionOf(page))
      const body = { _session: sessionOf(page), ...fields }
      return keep(
        await send(
          request(at?.url ?? origin)
            .post(pathname)
            .type('form')
            .set(headers),
        ).send(body),
      )
    },
  }
}

export function sessionOf({ text }: Page): string {
  return /name="_session" value="([\w-]{43})"/.exec(text)?.[1] ?? 'none'
}

export function actionOf({ text }: Page): string {
  return /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? 'none'
}

/** Returns the text of a page's only heading. */
export function headingOf({ text }: Page): string {
  const [heading, ...others] = [...text.matchAll(/<h1>(.*?)<\/h1>/gs)].map((match) => match[1] ?? '')
  if (others.length > 0) throw new Error('the page has several headings')
  return unescapeHtml((heading ?? 'none').replace(/<[^>]*>/g, ''))
}

/** Returns the account id that the success page sends to the window that opened it. */
export function connectedId({ text }: Page): number {
  return Number(/authorization_id: (\d+)/.exec(text)?.[1])
}

/** Returns all stored accounts. */
export async function accountsOf(onward: Functions) {
  return await onward.db.selectFrom('connected_account').selectAll().orderBy('id').execute()
}

/** Expects that none of these users has an account. */
export async function expectNoAccounts(onward: Functions, ...userIds: string[]): Promise<void> {
  expect((await accountsOf(onward)).filter(({ user_id }) => userIds.includes(user_id))).toEqual([])
}

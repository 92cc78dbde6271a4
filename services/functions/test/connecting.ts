import request from 'supertest'
import { type Functions, openFunctions, type User } from './support.ts'

/** The service with the apps of `connect-apps` besides the others. */
export function openConnecting(env: Readonly<Record<string, string>> = {}): Promise<Functions> {
  return openFunctions({ env: { APPS_PATH: 'services/functions/test/connect-apps', ...env } })
}

export const SHELF_KEY = 'shelf-key-0123456789'

/** The third party as a shelf: knows one key, whose reader is Ada unless told otherwise. */
export function beShelf(onward: Functions, reader: unknown = { id: 7, email: 'ada@example.com' }): void {
  onward.third.answer(({ headers, url }, response) => {
    const known = headers['x-shelf-key'] === SHELF_KEY
    response.writeHead(known ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(known ? (url === '/me' ? { reader } : { books: ['Sense'] }) : { error: 'no' }))
  })
}

export async function loginUrlOf(user: User, app: string): Promise<string> {
  const { body } = await user.post(`/apps/${app}/get`).expect(200)
  return body.login_url
}

export type Page = request.Response

/** A browser as far as connecting goes: keeps cookies, follows no redirect. With `at`, the public address leads there. */
export function openBrowser(at?: Functions) {
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
    async open(url: string): Promise<Page> {
      const { origin, pathname, search } = new URL(url)
      return keep(await send(request(at?.url ?? origin).get(pathname + search)))
    },
    /** Fills in the form of a page as a browser would. */
    async submit(page: Page, fields: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}): Promise<Page> {
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

/** The one heading of a page, as it is read. */
export function headingOf({ text }: Page): string {
  const [heading, ...others] = [...text.matchAll(/<h1>(.*?)<\/h1>/gs)].map((match) => match[1] ?? '')
  if (others.length > 0) throw new Error('the page has several headings')
  return (heading ?? 'none').replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>')
}

/** The id that the last page tells the window that opened it. */
export function connectedId({ text }: Page): number {
  return Number(/authorization_id: (\d+)/.exec(text)?.[1])
}

/** All that is stored of accounts. */
export async function accountsOf(onward: Functions) {
  return await onward.db.selectFrom('connected_account').selectAll().orderBy('id').execute()
}

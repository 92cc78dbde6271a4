import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { headingOf, openBrowser } from '../support/connecting.ts'
import { type Functions, loginUrl, openFunctions, type User, withoutLoginUrls } from '../support/support.ts'

let onward: Functions
let joe: User
let crowded: Functions
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
  const names = Array.from({ length: 60 }, (_, i) => `extra-${String(i).padStart(2, '0')}`)
  await Promise.all(names.map((name) => writeFile(join(folder, `${name}.yaml`), appFile(name))))
  onward = await openFunctions({ builtIn: true })
  crowded = await openFunctions({ env: { APPS_PATH: folder } })
  joe = onward.user('joe')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

function appFile(name: string): string {
  return `{name: ${name}, title: ${name}, description: One of many., base_url: https://x.example, auth: {type: bearer}, functions: {}}`
}

type Page = { apps: { name: string }[]; _cursor: string | null }

/** Returns the names of all pages, one list per page. */
async function pages(user: User, size: string, place: 'body' | 'query' = 'body'): Promise<string[][]> {
  const found: string[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = place === 'query' ? `${size}&_cursor=${encodeURIComponent(cursor)}` : size
    const page: Page = (await user.post(`/apps/list?${query}`, place === 'body' ? { _cursor: cursor } : {}).expect(200)).body
    found.push(page.apps.map(({ name }) => name))
    cursor = page._cursor
    expect(cursor).not.toBe('')
  }
  return found
}

describe('POST /apps/list', () => {
  it('returns the fields of an app', async () => {
    const { body } = await joe.post('/apps/list?search=tickets of customers').expect(200)
    expect(body).toEqual({
      apps: [
        {
          id: expect.any(Number),
          name: 'desk',
          title: 'Desk',
          icon_url: 'https://desk.example/icon.png',
          docs_url: 'https://desk.example/docs',
          login_url: loginUrl,
          allow_multiple_connected_accounts: true,
        },
      ],
      _cursor: null,
    })
  })

  it('lists the built-in apps and those of APPS_PATH', async () => {
    const files = await Promise.all(['packages/catalog/apps', 'services/functions/test/apps'].map((path) => readdir(path)))
    const names = files
      .flat()
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => basename(file, '.yaml'))
    expect(new Set((await pages(joe, '')).flat())).toEqual(new Set(names))
    expect(names.length).toBeGreaterThan(50)
  })

  it('answers alike with and without a trailing slash and a body', async () => {
    const slashed = await joe.post('/apps/list/').expect(200)
    const plain = await joe.post('/apps/list', {}).expect(200)
    expect(withoutLoginUrls(slashed.body)).toEqual(withoutLoginUrls(plain.body))
  })

  it('returns 50 apps per page by default', async () => {
    const found = await pages(crowded.user('joe'), '')
    expect(found[0]).toHaveLength(50)
    expect(found.length).toBe(2)
  })

  it.each(['body', 'query'] as const)('lists each app once, ordered by name, with the cursor in the %s', async (place) => {
    const found = await pages(crowded.user('joe'), 'page_size=7', place)
    const names = found.flat()
    expect(names.every((name, i) => i === 0 || name > (names[i - 1] ?? ''))).toBe(true)
    expect(names.length).toBeGreaterThan(60)
    expect(found.slice(0, -1).every((page) => page.length === 7)).toBe(true)
  })

  it('returns no cursor when the last page is full', async () => {
    const all = (await pages(joe, 'page_size=200')).flat()
    expect(await pages(joe, `page_size=${all.length}`)).toEqual([all])
  })

  it('continues after the last name when the set of apps has changed', async () => {
    const { body } = await crowded.user('joe').post('/apps/list?page_size=1&search=extra-30').expect(200)
    expect(body._cursor).toBeNull()
    const first = await crowded.user('joe').post('/apps/list', { page_size: 10, search: 'extra' }).expect(200)
    const after = first.body.apps.at(-1).name
    const next = await joe.post('/apps/list', { _cursor: first.body._cursor }).expect(200)
    expect(next.body.apps.length).toBeGreaterThan(0)
    expect(next.body.apps.every(({ name }: { name: string }) => name > after)).toBe(true)
  })

  it.each([
    ['?page_size=2', undefined],
    ['', { page_size: 2 }],
    ['?page_size=50', { page_size: 2 }],
    ['', 'page_size=2'],
  ])('reads the page size from the query %j and the body %j', async (query, sent) => {
    const { body } = await joe.post(`/apps/list${query}`, sent).expect(200)
    expect(body.apps).toHaveLength(2)
  })

  it.each(['0', '201', '-1', '1.5', 'many', 'null', '1&page_size=2'])('refuses a page size of %s', async (size) => {
    const { body } = await joe.post(`/apps/list?page_size=${size}`).expect(400)
    expect(body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(/^page_size: must be/)] })
  })

  it.each(['x', '%%%', 'W10', 'WzFd', 'eyJhIjoxfQ', 'bnVsbA', 'WyJhIiwiYiJd', '\u0000'])('refuses the cursor %j', async (_cursor) => {
    const { body } = await joe.post('/apps/list', { _cursor }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^_cursor: /)])
    await joe.post(`/apps/list?_cursor=${encodeURIComponent(_cursor)}`).expect(400)
  })

  it.each([[null], ['']])('returns the first page for the cursor %j', async (_cursor) => {
    const first = await joe.post('/apps/list?page_size=1').expect(200)
    const again = await joe.post('/apps/list?page_size=1', { _cursor }).expect(200)
    expect(withoutLoginUrls(again.body)).toEqual(withoutLoginUrls(first.body))
  })

  it.each([['DESK'], ['Desk'], ['key in a header']])('finds %s in the name, title or description', async (search) => {
    const { post } = crowded.user('joe')
    const byQuery = await post(`/apps/list?search=${search}`).expect(200)
    const byBody = await post('/apps/list', { search }).expect(200)
    expect(byQuery.body.apps.map(({ name }: { name: string }) => name)).toEqual(['desk'])
    expect(withoutLoginUrls(byBody.body)).toEqual(withoutLoginUrls(byQuery.body))
  })

  it('returns no apps for a text that does not occur', async () => {
    await joe.post('/apps/list', { search: 'no such thing .*' }).expect(200, { apps: [], _cursor: null })
  })
})

describe('connected_only', () => {
  const names = async (user: User, query: string) =>
    (await user.post(`/apps/list?${query}`).expect(200)).body.apps.map(({ name }: { name: string }) => name)

  it.each(['true', 'True', '1'])('lists only apps that the user has connected when it is %s', async (value) => {
    const ann = onward.user(`ann-${value}`)
    expect(await names(ann, `connected_only=${value}`)).toEqual([])
    await ann.connect('maps')
    await ann.connect('maps')
    await ann.connect('desk')
    await onward.user('other-user').connect('crm')
    expect(await names(ann, `connected_only=${value}`)).toEqual(['desk', 'maps'])
    expect(await names(ann, `connected_only=${value}&search=maps`)).toEqual(['maps'])
    expect(await names(ann, `connected_only=${value}&page_size=1`)).toEqual(['desk'])
  })

  it.each(['false', 'False', '0', ''])('lists all apps when it is %j', async (value) => {
    expect(await names(joe, `connected_only=${value}`)).toEqual(await names(joe, ''))
  })

  it.each(['yes', '2', 'null', 'true&connected_only=true'])('is refused with 400 when it is %s', async (value) => {
    const { body } = await joe.post(`/apps/list?connected_only=${value}`).expect(400)
    expect(body.error_details).toEqual(['connected_only: must be true or false'])
  })

  it('separates users with the same User-ID in two applications', async () => {
    const other = await onward.makeApplication('app-other')
    await onward.user('pat', other).connect('desk')
    expect(await names(onward.user('pat'), 'connected_only=true')).toEqual([])
    expect(await names(onward.user('pat', other), 'connected_only=true')).toEqual(['desk'])
  })

  it('accepts allow_workspace_connected_accounts, which has no effect', async () => {
    expect(await names(joe, 'allow_workspace_connected_accounts=true')).toEqual(await names(joe, ''))
  })
})

describe('login_url', () => {
  it('opens a page for each scheme of each built-in app', async () => {
    const { body } = await joe.post('/apps/list?page_size=200').expect(200)
    const apps = body.apps.filter(({ login_url }: { login_url: string }) => login_url !== '')
    expect(apps.length).toBeGreaterThan(5)
    const wrong: string[] = []
    for (const { name, title, login_url } of apps) {
      const path = `/admin/applications/app-1/oauth-clients/${name}`
      // Apps without OAuth answer this with an error, which does not matter here.
      await onward.admin('put', path, { client_id: 'client', client_secret: 'secret-0123456789' })
      const first = await openBrowser().open(login_url)
      const links = [...first.text.matchAll(/<a href="([^"]+)">/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'))
      const pages = links.length === 0 ? [first] : await Promise.all(links.map((href) => openBrowser().open(href)))
      for (const page of [first, ...pages]) {
        if (page.status !== 200 || headingOf(page) !== `Connect ${title} to app-1`) wrong.push(`${name}: ${page.status} ${headingOf(page)}`)
      }
      for (const page of pages) if (!page.text.includes('<form')) wrong.push(`${name}: no form`)
    }
    expect(wrong).toEqual([])
  })
})

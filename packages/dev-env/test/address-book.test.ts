import { setTimeout as pause } from 'node:timers/promises'
import type { Contact } from '../src/demo/contact.ts'
import { type AddressBook, openAddressBook } from '../src/demo/open-address-book.ts'

let book: AddressBook

beforeEach(async () => {
  book = await openAddressBook({ port: 0, apiKey: 'key' })
})

afterEach(() => book.close())

type Got = { readonly status: number; readonly type: string | null; readonly body: Record<string, unknown> }

async function ask(method: string, path: string, body?: unknown, key = 'key'): Promise<Got> {
  const sent = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(book.url + path, { method, headers: { 'X-API-Key': key }, body: sent })
  return { status: response.status, type: response.headers.get('content-type'), body: (await response.json()) as Record<string, unknown> }
}

const get = (path: string) => ask('GET', path)
const contactsOf = ({ body }: Got) => body.contacts as Contact[]

/** All pages of a list, by what each answer says about the next one. */
async function allPages(path: string, next: (body: Record<string, unknown>) => Record<string, unknown> | null): Promise<Contact[][]> {
  const pages: Contact[][] = []
  let query: Record<string, unknown> | null = {}
  while (query !== null) {
    const got = await get(`${path}&${new URLSearchParams(query as Record<string, string>)}`)
    pages.push(contactsOf(got))
    query = next(got.body)
  }
  return pages
}

const byCursor = ({ next_cursor: cursor }: Record<string, unknown>) => (cursor === null ? null : { cursor })

describe('the API key', () => {
  it.each([['wrong'], [''], ['key ey']])('must be right: %j is not', async (key) => {
    const got = await ask('GET', '/contacts', undefined, key)
    expect([got.status, got.type]).toEqual([401, 'application/json; charset=utf-8'])
    expect(got.body).toEqual({ error: 'Send the API key of the address book as X-API-Key.' })
  })

  it('is asked for before anything else', async () => {
    expect((await fetch(`${book.url}/nothing/here`)).status).toBe(401)
  })
})

describe('GET /contacts', () => {
  it('has the same 120 contacts at every start, all different', async () => {
    const pages = await allPages('/contacts?page_size=100', byCursor)
    expect(pages.map((page) => page.length)).toEqual([100, 20])
    const contacts = pages.flat()
    expect(contacts.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
    expect(new Set(contacts.map(({ name }) => name)).size).toBe(120)
    expect(new Set(contacts.map(({ email }) => email)).size).toBe(120)
    expect(contacts.every(({ email, phone }) => /^[a-z.-]+@example\.com$/.test(email) && /^\+1-\d{3}-555-01\d\d$/.test(phone ?? ''))).toBe(
      true,
    )
    expect(Object.keys(contacts[0] ?? {})).toEqual(['id', 'name', 'email', 'phone', 'tags', 'group', 'address', 'favourite', 'created_at'])

    const other = await openAddressBook({ port: 0, apiKey: 'key' })
    const again = await fetch(`${other.url}/contacts?page_size=100`, { headers: { 'X-API-Key': 'key' } })
    expect(((await again.json()) as { contacts: Contact[] }).contacts).toEqual(pages[0])
    await other.close()
  })

  it('goes on by cursor, 25 at a time unless told otherwise', async () => {
    const pages = await allPages('/contacts?', byCursor)
    expect(pages.map((page) => page.length)).toEqual([25, 25, 25, 25, 20])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(120)
  })

  it('skips and repeats nothing when contacts come and go between pages', async () => {
    const first = await get('/contacts?page_size=100')
    await ask('DELETE', '/contacts/100')
    await ask('POST', '/contacts', { name: 'New One', email: 'new@example.com' })
    const second = await get(`/contacts?page_size=100&cursor=${first.body.next_cursor}`)
    expect(contactsOf(second).map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => index + 101))
    expect(second.body.next_cursor).toBeNull()
  })

  it('searches names and email addresses, page by page', async () => {
    const pages = await allPages('/contacts?page_size=2&search=zo%C3%AB', byCursor)
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    expect(pages.flat().every(({ name }) => name.startsWith('Zoë '))).toBe(true)
    expect(contactsOf(await get('/contacts?search=ADA.ASH'))).toHaveLength(1)
    expect((await get('/contacts?search=nobody')).body).toEqual({ contacts: [], next_cursor: null })
  })

  it.each(['page_size=0', 'page_size=101', 'page_size=ten', 'cursor=nonsense', 'cursor=25'])('refuses %s', async (query) => {
    const got = await get(`/contacts?${query}`)
    expect([got.status, typeof got.body.error]).toEqual([400, 'string'])
  })
})

describe('GET /groups', () => {
  it('has three pages by number, and nothing after them', async () => {
    const pages = await Promise.all(['', '?page=1', '?page=2', '?page=3', '?page=4'].map((query) => get(`/groups${query}`)))
    expect(pages.map(({ body }) => [body.page, body.total_pages, (body.groups as unknown[]).length])).toEqual([
      [1, 3, 3],
      [1, 3, 3],
      [2, 3, 3],
      [3, 3, 1],
      [4, 3, 0],
    ])
    expect(pages[3]?.body.groups).toEqual([{ id: 'suppliers', name: 'Suppliers' }])
    expect((await get('/groups?page=0')).status).toBe(400)
  })
})

describe('GET /contacts/export', () => {
  it('goes on by name and id, so that equal names are neither lost nor doubled', async () => {
    for (let more = 0; more < 60; more += 1) await ask('POST', '/contacts', { name: 'Maja Twice', email: 'maja@example.com' })
    const pages = await allPages('/contacts/export?', ({ next }) => next as Record<string, unknown> | null)
    expect(pages.map((page) => page.length)).toEqual([50, 50, 50, 30])
    const places = pages.flat().map(({ name, id }) => ({ name, id }))
    expect(places).toEqual([...places].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)))
    expect(new Set(places.map(({ id }) => id)).size).toBe(180)
  })

  it.each(['after_name=Ada', 'after_id=3', 'after_name=Ada&after_id=x'])('refuses %s', async (query) => {
    expect((await get(`/contacts/export?${query}`)).status).toBe(400)
  })
})

describe('a contact', () => {
  const ada = { name: 'Ada Testborough', email: 'ada@example.org' }

  it('is made, read, changed and deleted', async () => {
    const made = await ask('POST', '/contacts', {
      ...ada,
      phone: '1',
      tags: ['a'],
      group: 'work',
      address: { city: 'Bergen' },
      favourite: true,
    })
    const expected = {
      id: 121,
      ...ada,
      phone: '1',
      tags: ['a'],
      group: 'work',
      address: { city: 'Bergen', country: null },
      favourite: true,
    }
    expect([made.status, made.body]).toEqual([201, { ...expected, created_at: expect.stringMatching(/^\d{4}-.*Z$/) }])
    expect((await get('/contacts/121')).body).toEqual(made.body)

    const changed = await ask('PATCH', '/contacts/121', { group: null, address: null, name: 'Ada T.' })
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, group: null, address: null, name: 'Ada T.' }])
    expect(contactsOf(await get('/contacts?search=ada%20t.'))).toEqual([changed.body])

    expect((await ask('DELETE', '/contacts/121')).body).toEqual({ deleted: 121 })
    expect((await ask('DELETE', '/contacts/121')).status).toBe(404)
    expect((await ask('POST', '/contacts', ada)).body).toMatchObject({ id: 122, tags: [], group: null, address: null, favourite: false })
  })

  it.each(['0', '121', '-1', '1.5', '01', 'abc', '%2e%2e%2f', '99999999999999999999'])('that is not there is 404: %s', async (id) => {
    const got = await get(`/contacts/${id}`)
    expect([got.status, got.body]).toEqual([404, { error: 'There is no such contact.' }])
    expect((await ask('PATCH', `/contacts/${id}`, {})).status).toBe(404)
  })

  it.each([
    [{}, ['name', 'email']],
    [{ name: ' ', email: 'ada' }, ['name', 'email']],
    [{ ...ada, name: 'x'.repeat(201) }, ['name']],
    [{ ...ada, email: 'a b@example.com' }, ['email']],
    [{ ...ada, group: 'strangers' }, ['group']],
    [{ ...ada, phone: 5, tags: 'a', favourite: 'yes' }, ['phone', 'tags', 'favourite']],
    [{ ...ada, tags: ['a', 1] }, ['tags']],
    [{ ...ada, address: { city: 1 } }, ['address']],
    [{ ...ada, address: { street: 'x' } }, ['address']],
    [{ ...ada, id: 5, created_at: 'now' }, ['id', 'created_at']],
  ])('is refused with its wrong fields: %j', async (input, fields) => {
    const got = await ask('POST', '/contacts', input)
    expect([got.status, Object.keys(got.body.fields as object)]).toEqual([422, fields])
    expect((await get('/contacts/121')).status).toBe(404)
  })

  it('is refused whole when a change is wrong', async () => {
    const before = (await get('/contacts/1')).body
    const got = await ask('PATCH', '/contacts/1', { name: 'Other', group: 'strangers' })
    expect([got.status, got.body.fields]).toEqual([422, { group: 'must be the id of a group' }])
    expect((await get('/contacts/1')).body).toEqual(before)
  })

  it.each([
    ['{"name":', 400],
    ['[]', 422],
    ['null', 422],
    ['"text"', 422],
    ['{"__proto__":{"name":"x"}}', 422],
    [`{"name":"${'x'.repeat(70_000)}"}`, 413],
  ])('is refused when the body is no object of a good size (%#)', async (body, status) => {
    const got = await ask('POST', '/contacts', body)
    expect([got.status, typeof got.body.error]).toEqual([status, 'string'])
  })
})

describe('POST /fail', () => {
  it.each([400, 404, 429, 500, 503, 599])('answers %i', async (status) => {
    const got = await ask('POST', '/fail', { status })
    expect([got.status, got.body]).toEqual([status, { error: `This is the ${status} that was asked for.` }])
  })

  it.each([{}, { status: 200 }, { status: 600 }, { status: '500' }, null])('refuses %j', async (body) => {
    expect((await ask('POST', '/fail', body)).status).toBe(422)
  })
})

describe('GET /wait', () => {
  it('answers after the seconds asked for', async () => {
    const started = performance.now()
    expect((await get('/wait?seconds=0.2')).body).toEqual({ waited_seconds: 0.2 })
    expect(performance.now() - started).toBeGreaterThanOrEqual(190)
  })

  it.each(['', '?seconds=', '?seconds=-1', '?seconds=121', '?seconds=long', '?seconds=1e1'])('refuses /wait%s', async (query) => {
    expect((await get(`/wait${query}`)).status).toBe(400)
  })

  it('is ended by close', async () => {
    const waiting = get('/wait?seconds=100').then(
      () => 'answered',
      () => 'ended',
    )
    await pause(50)
    const started = performance.now()
    await book.close()
    expect(await waiting).toBe('ended')
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('anything else', () => {
  it('is 404, or 405 for another method', async () => {
    expect((await get('/nothing')).body).toEqual({ error: 'There is nothing here.' })
    const got = await ask('PUT', '/contacts/1', {})
    expect([got.status, got.body]).toEqual([405, { error: 'This takes GET, PATCH, DELETE.' }])
  })
})

describe('openAddressBook', () => {
  it('says when the port is taken', async () => {
    const port = Number(new URL(book.url).port)
    await expect(openAddressBook({ port, apiKey: 'key' })).rejects.toThrow('EADDRINUSE')
  })
})

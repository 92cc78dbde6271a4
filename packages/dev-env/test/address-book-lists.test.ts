import { openAddressBook } from '../src/demo/address-book.ts'
import type { Contact } from '../src/demo/contacts.ts'
import { contactsOf, useAddressBook } from './use-address-book.ts'

const { ask, get } = useAddressBook()

/** All pages of a list. `next` returns the query of the next page, or null after the last one. */
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

describe('GET /contacts', () => {
  it('returns the same 120 different contacts after every start', async () => {
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

  it('returns pages of 25 contacts by default, and continues after the cursor', async () => {
    const pages = await allPages('/contacts?', byCursor)
    expect(pages.map((page) => page.length)).toEqual([25, 25, 25, 25, 20])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(120)
    expect(await allPages('/contacts?page_size=60', byCursor)).toHaveLength(2)
  })

  it('skips and repeats no contact if others are created and deleted between two pages', async () => {
    const first = await get('/contacts?page_size=100')
    await ask('DELETE', '/contacts/100')
    await ask('POST', '/contacts', { name: 'New One', email: 'new@example.com' })
    const second = await get(`/contacts?page_size=100&cursor=${first.body.next_cursor}`)
    expect(contactsOf(second).map(({ id }) => id)).toEqual(Array.from({ length: 21 }, (_, index) => index + 101))
    expect(second.body.next_cursor).toBeNull()
  })

  it('searches names and email addresses, in pages', async () => {
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
  it('returns three numbered pages, and empty ones after them', async () => {
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
  it('continues after a name and an id, so that no contact with an equal name is lost or repeated', async () => {
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

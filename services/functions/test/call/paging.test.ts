import { sendJson } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'notes'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

function answers(body: object): void {
  onward.third.respond((_received, response) => sendJson(response, 200, body))
}

/** For each style: the function, a response with a next page, its cursor, the query of that cursor, and a response without a next page. */
const STYLES: [string, string, object, unknown, string, object][] = [
  ['cursor', 'desk-list-tickets', { tickets: [1], meta: { next: 'n+/=' } }, 'n+/=', 'after=n%2B%2F%3D', { tickets: [], meta: {} }],
  ['page', 'maps-list-places', { places: [1], pages: 2 }, 2, 'page=2', { places: [2], pages: 2 }],
  ['offset', 'maps-list-routes', { routes: [1, 2], total: 3 }, 2, 'from=2', { routes: [3], total: 3 }],
  [
    'last_id',
    'crm-list-contacts',
    { data: [{ id: 8 }, { id: 9 }], has_more: true },
    '9',
    'starting_after=9',
    { data: [], has_more: false },
  ],
  [
    'fields',
    'crm-list-deals',
    { deals: [1], next: { name: 'a&b', id: 5 } },
    { after_name: 'a&b', after_id: 5 },
    'after_name=a%26b&after_id=5',
    { deals: [2] },
  ],
  [
    'next_url',
    'crm-export-contacts',
    { rows: [1], next: 'https://elsewhere.example/x?page=2&token=t%2F&evil=1' },
    { page: '2', token: 't/' },
    'page=2&token=t%2F',
    { rows: [2], next: null },
  ],
]

describe.each(STYLES)('paging by %s', (_style, name, more, cursor, query, last) => {
  const shown = () => onward.third.received.map(({ url }) => url.replace(/[?&]key=[^&]*/, ''))

  it('returns the cursor of the next page and accepts it in the body', async () => {
    answers(more)
    const { body } = await joe.call(name).expect(200)
    expect(body).toEqual({ network_code: 200, output: expect.any(Array), _cursor: cursor })
    await joe.call(name, { _cursor: body._cursor }).expect(200)
    expect(shown()[0]).not.toContain('?')
    expect(shown()[1]).toMatch(new RegExp(`\\?${query}$`))
  })

  it('accepts the cursor as text in the query and in a form', async () => {
    answers(more)
    const text = encodeURIComponent(typeof cursor === 'string' ? cursor : JSON.stringify(cursor))
    await joe.call(name, {}, `?_cursor=${text}`).expect(200)
    await joe.call(name, `_cursor=${text}`).expect(200)
    expect(shown().map((url) => url.split('?')[1])).toEqual([query, query])
  })

  it('returns a null cursor after the last page', async () => {
    answers(last)
    const { body } = await joe.call(name, { _cursor: cursor }).expect(200)
    expect(body._cursor).toBeNull()
  })

  it('returns a null cursor when the third party answers with an error', async () => {
    onward.third.respond((_received, response) => sendJson(response, 400, more))
    await joe.call(name).expect(200, { network_code: 400, output: more, _cursor: null })
  })

  it.each<unknown>([null, ''])('returns the first page for the cursor %j', async (_cursor) => {
    answers(more)
    await joe.call(name, { _cursor }).expect(200)
    expect(shown()[0]).not.toContain('?')
  })

  it('refuses a cursor of another type or shape with 400', async () => {
    const wrong = [
      true,
      ['x'],
      {},
      { other: 1 },
      { __proto: 1 },
      { after_name: { a: 1 } },
      -1,
      1.5,
      ...(typeof cursor === 'string' ? [5] : ['x']),
    ]
    for (const _cursor of wrong) {
      const { body } = await joe.call(name, { _cursor }).expect(400)
      expect(body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(/^_cursor/)] })
    }
    expect(onward.third.received).toHaveLength(0)
  })
})

describe('a cursor', () => {
  it('can lead to an empty last page when the app does not announce the end', async () => {
    answers({ tickets: [1], meta: { next: 'n2' } })
    expect((await joe.call('desk-list-tickets').expect(200)).body._cursor).toBe('n2')
    answers({ tickets: [] })
    await joe.call('desk-list-tickets', { _cursor: 'n2' }).expect(200, { network_code: 200, output: [], _cursor: null })
  })

  it('is read from the body when the query has one too', async () => {
    answers({ tickets: [] })
    await joe.call('desk-list-tickets', { _cursor: 'body' }, '?_cursor=query').expect(200)
    expect(onward.third.received[0]?.url).toBe('/tickets?after=body')
  })

  it('is refused by a function without pages', async () => {
    answers({})
    await joe.call('notes-read-notes').expect(200, { network_code: 200, output: {} })
    const { body } = await joe.call('notes-read-notes', { _cursor: 'x' }).expect(400)
    expect(body.error_details).toEqual(['_cursor: the function has no pages'])
  })

  it('cannot change the host of the onward call', async () => {
    answers({})
    await joe.call('crm-list-deals', { _cursor: { after_name: 'x#@evil.example/?&key=1' } }).expect(200)
    expect(onward.third.received[0]?.url).toBe('/deals?after_name=x%23%40evil.example%2F%3F%26key%3D1')
  })
})

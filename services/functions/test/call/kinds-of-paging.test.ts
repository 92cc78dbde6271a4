import { type Received, type Script, sendJson } from '@onward/testbed'
import { type User, useKinds } from '../support/support.ts'

const kinds = useKinds()
let joe: User
beforeAll(async () => {
  joe = await kinds.connect('pages', { api_key: 'key-0123456789' }, '/v1')
})

type Walked = {
  readonly outputs: unknown[]
  readonly arrived: string[]
  /** The body of the last page. */
  readonly last: { readonly meta?: { readonly next_page_problem?: string } }
}

/** Follows the cursors from the first page until null. Throws after ten pages. */
async function walk(phrase: string, script: Script): Promise<Walked> {
  kinds.onward.third.respond(script)
  const from = kinds.onward.third.received.length
  const outputs: unknown[] = []
  let last = {}
  for (let cursor: unknown; cursor !== null; ) {
    const { body } = await joe.call(`pages-${phrase}`, cursor === undefined ? {} : { _cursor: cursor }).expect(200)
    outputs.push(body.output)
    cursor = body._cursor
    last = body
    if (outputs.length > 10) throw new Error(`${phrase} has no end`)
  }
  return { outputs, last, arrived: kinds.onward.third.received.slice(from).map(line) }
}

/** Returns the path and body of a request without the API key, which every request carries. */
function line({ url, body }: Received): string {
  const shown = url.replace('?key=key-0123456789', '').replace('&key=key-0123456789', '')
  expect(url.split('key-0123456789')).toHaveLength(2)
  return body === '' ? shown : `${shown} ${body}`
}

function parameter({ url }: Received, name: string): string | null {
  return new URL(url, 'http://x').searchParams.get(name)
}

const items = [['a', 'b'], ['c', 'd'], ['e']]

describe('following the cursors', () => {
  it.each<[string, Script, string[]]>([
    [
      'cursor',
      (received, response) => {
        const page = Number(parameter(received, 'after') ?? 0)
        sendJson(response, 200, { items: items[page], next: page < 2 ? String(page + 1) : null })
      },
      ['/v1/cursor', '/v1/cursor?after=1', '/v1/cursor?after=2'],
    ],
    [
      'body-cursor',
      (received, response) => {
        const page = Number(JSON.parse(received.body).after ?? 0)
        sendJson(response, 200, { items: items[page], next: page < 2 ? page + 1 : '' })
      },
      ['/v1/body-cursor {"size":2}', '/v1/body-cursor {"size":2,"after":"1"}', '/v1/body-cursor {"size":2,"after":"2"}'],
    ],
    [
      'page',
      (received, response) => sendJson(response, 200, { items: items[Number(parameter(received, 'page') ?? 1) - 1], pages: 3 }),
      ['/v1/page', '/v1/page?page=2', '/v1/page?page=3'],
    ],
    [
      'offset',
      (received, response) => {
        const skip = Number(parameter(received, 'skip') ?? 0)
        sendJson(response, 200, { items: items.flat().slice(skip, skip + 2) })
      },
      ['/v1/offset', '/v1/offset?skip=2', '/v1/offset?skip=4', '/v1/offset?skip=5'],
    ],
    [
      'last-id',
      (received, response) => {
        const since = parameter(received, 'since')
        const from = since === null ? 0 : items.flat().indexOf(since) + 1
        sendJson(response, 200, { items: items.flat().slice(from, from + 2) })
      },
      ['/v1/last-id', '/v1/last-id?since=b', '/v1/last-id?since=d', '/v1/last-id?since=e'],
    ],
    [
      'fields',
      (received, response) => {
        const page = Number(parameter(received, 'id') ?? 0)
        sendJson(response, 200, { items: items[page], next: page < 2 ? { name: 'ü&', id: page + 1 } : null })
      },
      ['/v1/fields', '/v1/fields?name=%C3%BC%26&id=1', '/v1/fields?name=%C3%BC%26&id=2'],
    ],
    [
      'next-query',
      (received, response) => {
        const page = Number(parameter(received, 'token') ?? 0)
        sendJson(response, 200, { items: items[page], ...(page < 2 ? { next: `https://evil.example/x?token=${page + 1}&more=1` } : {}) })
      },
      ['/v1/next-query', '/v1/next-query?token=1', '/v1/next-query?token=2'],
    ],
    [
      'next-url',
      (received, response) => {
        const page = Number(parameter(received, 'p') ?? 0)
        const urls = ['/v1/elsewhere?p=1&key=key-0123456789', `${kinds.onward.third.url}/v1/elsewhere?p=2&q=a%20b`, null]
        expect(received.headers['x-fixed']).toBe('1')
        sendJson(response, 200, { items: items[page], next: urls[page] })
      },
      ['/v1/next-url', '/v1/elsewhere?p=1', '/v1/elsewhere?p=2&q=a%20b'],
    ],
    [
      'link',
      (received, response) => {
        const page = Number(parameter(received, 'page') ?? 1)
        const link = page < 3 ? { link: `</v1/link?page=1>; rel="first", <https://x.example/link?page=${page + 1}>; rel="last next"` } : {}
        response.writeHead(200, { 'content-type': 'application/json', ...link }).end(JSON.stringify(items[page - 1]))
      },
      ['/v1/link', '/v1/link?page=2', '/v1/link?page=3'],
    ],
    [
      'relay',
      (received, response) => {
        const page = Number(JSON.parse(received.body).variables.after ?? 0)
        const things = { nodes: items[page], pageInfo: { hasNextPage: page < 2, endCursor: String(page + 1) } }
        sendJson(response, 200, { data: { things } })
      },
      ['{"first":2}', '{"first":2,"after":"1"}', '{"first":2,"after":"2"}'].map(
        (variables) => `/v1/graphql {"query":"query ($after: String) { things(after: $after) { nodes } }","variables":${variables}}`,
      ),
    ],
  ])('returns every page of the style %s', async (phrase, script, expected) => {
    const { outputs, arrived } = await walk(phrase, script)
    expect(arrived).toEqual(expected)
    expect(outputs.flat()).toEqual(items.flat())
  })
})

describe('paging', () => {
  /** Answers with one item, and then with `empty` empty pages that name a next one. */
  function emptyPages(phrase: string, empty: number): Script {
    let pages = 0
    return (_received, response) => {
      const items = pages++ === 0 ? ['a'] : []
      const isLast = pages > empty
      const next = { cursor: `n${pages}`, 'body-cursor': `n${pages}`, fields: { id: pages }, 'next-query': `?token=${pages}` }
      const body = { items, pages: 99, next: isLast ? null : (next[phrase as keyof typeof next] ?? `/v1/next?p=${pages}`) }
      const relay = { data: { things: { nodes: items, pageInfo: { hasNextPage: !isLast, endCursor: `n${pages}` } } } }
      const sent = phrase === 'relay' ? relay : phrase === 'link' ? items : body
      const link = isLast ? {} : { link: `<?page=${pages}>; rel=next` }
      response.writeHead(200, { 'content-type': 'application/json', ...link }).end(JSON.stringify(sent))
    }
  }

  it.each(['cursor', 'body-cursor', 'fields', 'next-query', 'next-url', 'link', 'relay'])(
    'by %s goes on after an empty page with a next one',
    async (phrase) => {
      expect((await walk(phrase, emptyPages(phrase, 3))).outputs).toEqual([['a'], [], [], []])
    },
  )

  it.each([
    ['page', 'the page is empty, although the app says that there are more pages'],
    ['offset', undefined],
    ['last-id', undefined],
  ])('by %s ends at an empty page', async (phrase, problem) => {
    const { outputs, last } = await walk(phrase, emptyPages(phrase, 3))
    expect(outputs).toEqual([['a'], []])
    expect(last.meta?.next_page_problem).toBe(problem)
  })

  it('finds the next page in the second of two Link headers', async () => {
    const { arrived } = await walk('link', (received, response) => {
      const first = (parameter(received, 'page') ?? '1') === '1'
      const link = ['</v1/link?page=1>; rel="first"', ...(first ? ['</v1/link?page=2>; rel="next"'] : [])]
      response.writeHead(200, { 'content-type': 'application/json', link }).end('["a"]')
    })
    expect(arrived).toEqual(['/v1/link', '/v1/link?page=2'])
  })

  it('ends when a page links to itself', async () => {
    const { arrived } = await walk('cursor', (_received, response) => sendJson(response, 200, { items: ['a'], next: 'same' }))
    expect(arrived).toEqual(['/v1/cursor', '/v1/cursor?after=same'])
  })

  it('ends when the answer is an error', async () => {
    const errors = [{ message: 'no' }]
    const { outputs } = await walk('relay', (_received, response) => sendJson(response, 200, { data: null, errors }))
    expect(outputs).toEqual([{ data: null, errors }])
  })
})

describe('a next-page URL', () => {
  it.each(['//backend.internal/v1/x?p=2', 'https://backend.internal:8000/v1/x?p=2', 'http://127.0.0.1:1/v1/x?p=2', 'x?p=2', '/v1/x?p=2'])(
    'is requested at the own server of the account when the app returns %s',
    async (next) => {
      let pages = 0
      const { outputs, arrived } = await walk('next-url', (_received, response) =>
        sendJson(response, 200, { items: [++pages], next: pages === 1 ? next : null }),
      )
      expect(outputs).toEqual([[1], [2]])
      expect(arrived).toEqual(['/v1/next-url', '/v1/x?p=2'])
    },
  )

  it.each(['/v2/x', '/v1/../x', '/v1/..%2fx', '/v1/%252e%252e/x', 7])(
    'is not followed, and the caller and the log are told, when the app returns %j',
    async (next) => {
      const { outputs, last } = await walk('next-url', (_received, response) => sendJson(response, 200, { items: ['a'], next }))
      expect(outputs).toEqual([['a']])
      expect(last).toMatchObject({ _cursor: null, meta: { next_page_problem: expect.stringMatching(/^\/next is not /) } })
    },
  )

  it.each(['//evil.example/v1/x', 'https://evil.example/v1/x', '/v2/x', '/v1/../x', '/v1/x', 5, { a: 1 }, 'AAAA'])(
    'is refused when the caller sends the cursor %j',
    async (cursor) => {
      const before = kinds.onward.third.received.length
      const { body } = await joe.call('pages-next-url', { _cursor: cursor }).expect(400)
      expect(body.error_details).toEqual([expect.stringMatching(/^_cursor: must be /)])
      expect(kinds.onward.third.received).toHaveLength(before)
    },
  )

  it('is sealed: its cursor holds only for the same user, function, account and arguments', async () => {
    kinds.onward.third.respond((_received, response) => sendJson(response, 200, { items: ['a'], next: '/v1/x?token=secret' }))
    const folder = { folder: 'inbox' }
    const cursor: string = (await joe.call('pages-next-url', folder).expect(200)).body._cursor
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('secret')
    const jane = await kinds.connect('pages', { api_key: 'key-0123456789' }, '/v1')
    const before = kinds.onward.third.received.length
    const altered = `${cursor.slice(0, -2)}${cursor.endsWith('AA') ? 'BB' : 'AA'}`
    for (const sent of [
      jane.call('pages-next-url', { ...folder, _cursor: cursor }),
      joe.call('pages-next-url', { folder: 'sent', _cursor: cursor }),
      joe.call('pages-next-url', { _cursor: cursor }),
      joe.call('pages-next-url', { ...folder, _cursor: altered }),
    ]) {
      const { body } = await sent.expect(400)
      expect(body.error_details).toEqual(['_cursor: must be the _cursor of an earlier response, sent with the same arguments and account'])
    }
    expect(kinds.onward.third.received).toHaveLength(before)
    await joe.call('pages-next-url', { _cursor: cursor, ...folder }).expect(200)
  })
})

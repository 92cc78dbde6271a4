import { failureOf, useScripted } from './scripted.ts'

const scripted = useScripted()

describe('a list', () => {
  const pages = (size: number) =>
    scripted.server.respond((received, response) => {
      const from = Number(new URL(received.url, 'http://x').searchParams.get('_cursor') ?? 0)
      const apps = Array.from({ length: size }, (_, n) => ({ name: `app-${from + n}` }))
      response.setHeader('X-Request-ID', `req-${from}`)
      response.end(JSON.stringify({ apps, _cursor: from + size >= 5 ? null : String(from + size) }))
    })
  const names = (items: readonly { readonly name: string }[]) => items.map(({ name }) => name)

  it('is read page by page', async () => {
    pages(2)
    const found: string[] = []
    for await (const { name } of scripted.user().apps.list()) found.push(name)
    expect(found).toEqual(['app-0', 'app-1', 'app-2', 'app-3', 'app-4', 'app-5'])
    expect(scripted.server.received).toHaveLength(3)
  })

  it('requests only the pages that the program reads', async () => {
    pages(2)
    expect(names(await scripted.user().apps.list().toArray({ limit: 2 }))).toEqual(['app-0', 'app-1'])
    expect(await scripted.user().apps.list().toArray({ limit: 0 })).toEqual([])
    expect(scripted.server.received).toHaveLength(1)
  })

  it('can be read by pages, and continued at a stored cursor', async () => {
    pages(2)
    const first = await scripted.user().apps.list().firstPage()
    const second = await first.nextPage()
    expect([first.cursor, names(second?.items ?? [])]).toEqual(['2', ['app-2', 'app-3']])
    const last = await scripted.user().apps.list({ cursor: '4' }).firstPage()
    expect([names(last.items), last.cursor, await last.nextPage()]).toEqual([['app-4', 'app-5'], null, null])
  })
})

describe('callPages', () => {
  it('sends each cursor back unchanged, with the same arguments and a new idempotency key for each page', async () => {
    const cursors = [{ after: 1 }, 7, 'abc', null]
    scripted.server.respond((_received, response) => {
      const n = scripted.server.received.length - 1
      response.end(JSON.stringify({ network_code: 200, output: [n], _cursor: cursors[n] }))
    })
    const outputs: unknown[] = []
    for await (const { output } of scripted.user().functions.callPages('f', { a: 1 }, { idempotencyKey: 'first' })) outputs.push(output)
    expect(outputs).toEqual([[0], [1], [2], [3]])
    expect(scripted.server.received.map(({ body }) => JSON.parse(body))).toEqual([
      { a: 1 },
      ...cursors.slice(0, 3).map((cursor) => ({ a: 1, _cursor: cursor })),
    ])
    expect(new Set(scripted.server.received.map(({ headers }) => headers['idempotency-key'])).size).toBe(4)
  })
})

describe('the last page that can be requested', () => {
  const refused = { status: 'expired', login_url: 'https://x.example' }
  const more = { next_page_problem: '/next is not the URL of a page', retry_after: 7, location: '/x' }
  const meta = { ...more, fields_missing: ['y'], refused_account: refused, needed_scopes: [['a'], ['b', 'c']] }

  it('is followed by an error if the app has more pages', async () => {
    scripted.answers([200, { network_code: 200, output: [1], _cursor: null, meta }])
    const outputs: unknown[] = []
    const pages = async () => {
      for await (const { output } of scripted.user().functions.callPages('f')) outputs.push(output)
    }
    expect(await failureOf(pages())).toMatchObject({
      name: 'PagesEndedError',
      message: 'f: there may be further pages: /next is not the URL of a page (call without an id)',
      result: {
        ...{ output: [1], cursor: null, nextPageProblem: meta.next_page_problem, retryAfter: 7, location: '/x', fieldsMissing: ['y'] },
        refusedAccount: { status: 'expired', loginUrl: 'https://x.example' },
        neededScopes: [['a'], ['b', 'c']],
      },
    })
    expect(outputs).toEqual([[1]])
  })
})

describe('the results of a batch', () => {
  it('are results of calls or errors', async () => {
    const error = { error: 'no', error_details: [], code: 'rate_limited', request_id: 'r' }
    const results = [
      { status: 200, call_id: 'id-1', replayed: true, result: { network_code: 404, output: [1] } },
      { status: 429, call_id: null, replayed: false, retry_after: 7, error },
    ]
    scripted.answers([200, { results }])
    expect(await scripted.user().functions.batchCall([{ name: 'f' }, { name: 'g' }])).toMatchObject([
      { status: 200, result: { ok: false, networkCode: 404, output: [1], callId: 'id-1', replayed: true }, error: null, retryAfter: null },
      { status: 429, result: null, error, callId: null, replayed: false, retryAfter: 7 },
    ])
    expect(scripted.server.received[0]?.headers['idempotency-key']).toMatch(/^auto_/)
  })
})

describe('an answer', () => {
  beforeEach(() =>
    scripted.server.respond((_received, response) => {
      response.setHeader('X-Request-ID', 'req-1')
      response.setHeader('RateLimit-Policy', '"application";q=60000;w=60, "user";q=1200;w=60')
      response.setHeader('RateLimit', '"application";r=59321;t=24, "user";r=1187;t=24')
      response.end('{"name":"slack"}')
    }),
  )

  it('has the id of its request, in a property that loops and JSON leave out', async () => {
    const app = await scripted.user().apps.get('slack')
    expect([JSON.stringify(app), (app as { _requestId?: string })._requestId]).toEqual(['{"name":"slack"}', 'req-1'])
  })

  it('can be read with its response and rate limits', async () => {
    const { data, response, requestId, rateLimits } = await scripted.user().apps.get('slack').withResponse()
    expect([data.name, response.status, requestId]).toEqual(['slack', 200, 'req-1'])
    expect(rateLimits).toEqual([
      { name: 'application', limit: 60_000, remaining: 59_321, resetSeconds: 24 },
      { name: 'user', limit: 1_200, remaining: 1_187, resetSeconds: 24 },
    ])
  })

  it('can be read as a response alone', async () => {
    const response = await scripted.user().apps.get('slack').asResponse()
    expect(await response.json()).toEqual({ name: 'slack' })
  })

  it('with an error status rejects once, also as a response', async () => {
    scripted.server.respond((_received, response) => void response.writeHead(404).end('{}'))
    const unhandled: unknown[] = []
    process.on('unhandledRejection', (err) => unhandled.push(err))
    expect(await failureOf(scripted.user().apps.get('x').asResponse())).toMatchObject({ status: 404 })
    expect(await failureOf(scripted.user().apps.get('x').withResponse())).toMatchObject({ status: 404 })
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  })
})

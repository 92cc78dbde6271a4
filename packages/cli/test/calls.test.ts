import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const call = (id: number) => ({
  id: `id-${id}`,
  function_name: 'slack-post-message',
  function_version: '1',
  app: 'slack',
  connected_account_id: 7,
  outcome: 'answered',
  network_code: 200,
  started_at: '2026-03-10T11:00:00.000Z',
  duration_ms: null,
  app_key: 'shop',
  user_id: 'joe',
})

/** A log of `total` calls. The cursor of a page is the index of its end. */
function serveCalls(total: number): void {
  stage.functions.respond(({ url }, response) => {
    const query = new URL(url, 'http://log').searchParams
    const from = Number(query.get('_cursor') ?? 0)
    const to = Math.min(from + Number(query.get('page_size')), total)
    const calls = Array.from({ length: to - from }, (_, index) => call(from + index))
    response.end(JSON.stringify({ calls, _cursor: to < total ? String(to) : null }))
  })
}

const queries = () => stage.functions.received.map(({ url }) => Object.fromEntries(new URL(url, 'http://log').searchParams))

describe('calls', () => {
  it('shows a table', async () => {
    serveCalls(1)
    const { code, out, err } = await stage.run(['calls'])
    expect(stage.requests()).toEqual([['functions', 'GET', '/admin/calls?page_size=50']])
    expect(out.split('\n')).toEqual([
      'STARTED_AT                APP_KEY  USER_ID  FUNCTION_NAME       OUTCOME   NETWORK_CODE  DURATION_MS  ID',
      '2026-03-10T11:00:00.000Z  shop     joe      slack-post-message  answered  200           -            id-0',
      '',
    ])
    expect([code, err]).toEqual([0, ''])
  })

  it('sends every filter', async () => {
    answers(stage.functions, { calls: [], _cursor: null })
    const filters = ['--app-key', 'shop', '--user', 'joe', '--function', 'slack-post-message', '--app', 'slack', '--outcome', 'no_answer']
    await stage.run(['calls', ...filters, '--since', '15m', '--until', '2026-03-10T11:59', '--limit', '3'])
    expect(queries()).toEqual([
      {
        app_key: 'shop',
        user_id: 'joe',
        function_name: 'slack-post-message',
        app: 'slack',
        outcome: 'no_answer',
        since: '2026-03-10T11:45:00.000Z',
        until: '2026-03-10T11:59:00.000Z',
        page_size: '3',
      },
    ])
  })

  it.each([
    [450, 1_000, ['200', '200', '50']],
    [450, 450, ['200', '200', '50']],
    [3, 2, ['3']],
    [200, 1_000, ['200']],
  ])('follows cursors up to a limit of %i in a log of %i calls', async (limit, total, sizes) => {
    serveCalls(total)
    const { out } = await stage.run(['calls', '--limit', String(limit), '--json'])
    const { calls } = JSON.parse(out) as { calls: { id: string }[] }
    expect(calls.map(({ id }) => id)).toEqual(Array.from({ length: Math.min(limit, total) }, (_, index) => `id-${index}`))
    expect(queries().map(({ page_size }) => page_size)).toEqual(sizes)
  })

  it('continues after an empty page', async () => {
    stage.functions.respond(({ url }, response) => {
      response.end(JSON.stringify(url.includes('_cursor') ? { calls: [call(1)], _cursor: null } : { calls: [], _cursor: 'next' }))
    })
    expect((await stage.run(['calls', '--json'])).out).toContain('id-1')
  })

  it('ends at an empty page that has the same cursor as the page before', async () => {
    answers(stage.functions, { calls: [], _cursor: 'on' })
    expect((await stage.run(['calls'])).err).toBe('none found\n')
  })

  it('shows nothing when a page of the log fails', async () => {
    stage.functions.respond(({ url }, response) => {
      if (url.includes('_cursor')) response.writeHead(503)
      response.end(
        JSON.stringify(
          url.includes('_cursor')
            ? { error: 'Postgres is down', error_details: [], code: 'unavailable' }
            : { calls: [call(1)], _cursor: 'next' },
        ),
      )
    })
    expect(await stage.run(['calls'])).toEqual({ code: 1, out: '', err: 'error: Postgres is down\n' })
  })
})

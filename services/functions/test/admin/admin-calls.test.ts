import { firstUuidAt, uuidv7 } from '@onward/runtime'
import { sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { openFunctions, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User
let zoe: User
beforeAll(async () => {
  joe = onward.user('joe')
  zoe = onward.user('zoe', await onward.makeApplication('app-2', 'workspace-2'))
  for (const user of [joe, zoe]) await user.connect('notes')
})

type Call = { readonly id: string; readonly app_key: string; readonly user_id: string; readonly message?: string }
type Page = { readonly calls: readonly Call[]; readonly _cursor: string | null; readonly _reached: string | null }

const read = async (query: string): Promise<Page> => (await onward.admin('get', `/admin/calls?${query}`).expect(200)).body
const idsOf = ({ calls }: Page) => calls.map(({ id }) => id)
const call = async (user: User, requestId: string) =>
  (await user.call('notes-read-notes').set('X-Request-ID', requestId)).headers['x-call-id'] as string

describe('GET /admin/calls', () => {
  const made: string[] = []
  const ours = uuidv7()

  beforeAll(async () => {
    made.push(await call(joe, 'request-of-joe'), await call(zoe, 'request-of-zoe'), await call(joe, ours))
    onward.third.respond((_received, response) => sendJson(response, 400, { message: 'Contact "51" already exists' }))
    made.push(await call(joe, 'request-of-joe'))
  })

  it.each<[string, number[]]>([
    ['workspace_id=workspace-1', [3, 2, 0]],
    ['workspace_id=workspace-2', [1]],
    ['workspace_id=workspace-3', []],
    ['workspace_id=workspace-1&app_key=app-1', [3, 2, 0]],
    ['workspace_id=workspace-2&app_key=app-1', []],
    ['workspace_id=workspace-1&app_key=app-1&user_id=joe&network_code=400', [3]],
    ['workspace_id=workspace-2&user_id=joe', []],
    ['network_code=400', [3]],
    ['network_code=404', []],
    ['failed=true', [3]],
    ['failed=true&workspace_id=workspace-2', []],
    ['failed=false&workspace_id=workspace-2', [1]],
    ['min_duration_ms=0', [3, 2, 1, 0]],
    ['min_duration_ms=60000', []],
    ['request_id=request-of-joe', [3, 0]],
    ['request_id=request-of-zoe&workspace_id=workspace-1', []],
    [`request_id=${ours}`, [2]],
    [`request_id=${ours}&since=2999-01-01T00:00:00Z`, []],
    [`request_id=${uuidv7(Date.now() - 3_600_000)}`, []],
    ['search=JO&workspace_id=workspace-1', [3, 2, 0]],
    ['search=-read-&workspace_id=workspace-2', [1]],
    ['search=request-of-zoe', [1]],
    ['search=request-of', []],
    [`search=${encodeURIComponent('contact "51" ALREADY')}`, [3]],
    [`search=${encodeURIComponent('contact "51" ALREADY')}&workspace_id=workspace-2`, []],
  ])('filters calls by %s', async (query, expected) => {
    const page = await read(query)
    expect(idsOf(page).map((id) => made.indexOf(id))).toEqual(expected)
    expect(page).toMatchObject({ _cursor: null, _reached: null })
  })

  it('returns the calls that are newer than a call, in pages', async () => {
    const after = `after=${made[0]}`
    expect(idsOf(await read(after))).toEqual(made.slice(1).toReversed())
    expect(idsOf(await read(`after=${made[3]}`))).toEqual([])
    const first = await read(`${after}&page_size=2`)
    expect(idsOf(first)).toEqual([made[3], made[2]])
    expect(await read(`${after}&page_size=2&_cursor=${first._cursor}`)).toMatchObject({ calls: [{ id: made[1] }], _cursor: null })
  })

  it('returns what the app says of a failure, for the list and for one call', async () => {
    const { calls } = await read('workspace_id=workspace-1')
    const message = 'Contact "51" already exists'
    expect(calls.map((each) => each.message)).toEqual([message, undefined, undefined])
    const one = (id: string | undefined) => onward.admin('get', `/admin/calls/${id}`).expect(200)
    expect((await one(made[3])).body.message).toBe(message)
    expect((await one(made[2])).body).not.toHaveProperty('message')
  })

  it('does not search the responses of calls that succeeded', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { notes: ['all is well'] }))
    await call(joe, 'request-that-succeeds')
    expect(idsOf(await read('search=all+is+well'))).toEqual([])
    expect(idsOf(await read('search=request-that-succeeds'))).toHaveLength(1)
  })

  it.each(['after=x', 'network_code=9', 'min_duration_ms=-1', 'request_id=%00', 'after='.concat('1'.repeat(36))])(
    'refuses %s with 400',
    async (query) => {
      await onward.admin('get', `/admin/calls?${query}`).expect(400)
    },
  )

  it('lists the calls of all users of an application, with filters and in pages', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    const other = await onward.makeApplication('app-calls')
    for (const user of [onward.user('u1', other), onward.user('u2', other)]) {
      await user.connect('notes')
      for (let i = 0; i < 2; i++) await user.call('notes-read-notes').expect(200)
    }
    const all = await read('app_key=app-calls')
    expect(all.calls.map(({ user_id }) => user_id)).toEqual(['u2', 'u2', 'u1', 'u1'])
    expect(all.calls[0]).toMatchObject({ app_key: 'app-calls', user_id: 'u2', function_name: 'notes-read-notes', outcome: 'answered' })
    expect(all.calls[0]).not.toHaveProperty('output')
    expect((await read('app_key=app-calls&user_id=u1')).calls).toEqual(all.calls.slice(2))
    const first = await read('app_key=app-calls&page_size=3')
    const next = { calls: all.calls.slice(3), _cursor: null, _reached: null }
    expect(await read(`app_key=app-calls&page_size=3&_cursor=${first._cursor}`)).toEqual(next)
    expect((await read('app_key=app-calls&outcome=unreachable')).calls).toEqual([])
    expect((await read('app_key=app-calls&since=2999-01-01T00:00:00Z')).calls).toEqual([])
    for (const userId of ['%00', '.', '%2e%2e']) await onward.admin('get', `/admin/calls?user_id=${userId}`).expect(400)
    await onward.admin('get', '/admin/calls?outcome=lost').expect(400)
  })
})

describe('a search of a log with more than 100,000 calls', () => {
  const NEWEST = Date.parse('2026-03-10T12:00:00Z')
  const LAST = 100_004
  const until = `until=${new Date(NEWEST + 1).toISOString()}`

  beforeAll(async () => {
    // One call each millisecond, the newest first. Those of `rare` are the first and the last one. A statement must end within 5 s.
    for (let first = 0; first <= LAST; first += 10_000) {
      await sql`
        insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, occurred_at)
        select (lpad(to_hex(${NEWEST}::bigint - n), 12, '0') || '70008000000000000000')::uuid, 'app-1',
          case when n in (0, ${LAST}::int) then 'rare' else 'often' end, 'notes-read-notes', 'v', 'notes', 'answered',
          to_timestamp((${NEWEST}::bigint - n) / 1000.0)
        from generate_series(${first}::int, ${Math.min(first + 9_999, LAST)}::int) as n`.execute(onward.db)
    }
  })

  it('stops after 100,000 calls, says how far it came, and continues there', async () => {
    const first = await read(`user_id=rare&${until}`)
    expect(idsOf(first).map((id) => id < firstUuidAt(new Date(NEWEST)))).toEqual([false])
    expect(first._reached).toBe(new Date(NEWEST - 99_999).toISOString())
    const second = await read(`user_id=rare&${until}&_cursor=${first._cursor}`)
    expect(second).toMatchObject({ calls: [expect.anything()], _cursor: null, _reached: null })
  })

  it('stops after 20,000 calls when it searches for a text', async () => {
    const page = await read(`search=rare&${until}`)
    expect(page).toMatchObject({ calls: [{ user_id: 'rare' }], _reached: new Date(NEWEST - 19_999).toISOString() })
  })

  it('finds the calls of a user of an application at once', async () => {
    expect(await read(`app_key=app-1&user_id=rare&${until}`)).toMatchObject({ calls: [{}, {}], _cursor: null, _reached: null })
  })

  it('fills a page without going further', async () => {
    const page = await read(`user_id=often&page_size=2&${until}`)
    expect(page).toMatchObject({ calls: [{}, {}], _cursor: expect.any(String), _reached: null })
  })
})

describe('GET /admin/calls/:call_id', () => {
  it('returns the call with its bodies and the id of its request', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { notes: [] }))
    const id = await call(joe, 'request-to-read')
    const { calls } = await read('request_id=request-to-read')
    const { body } = await onward.admin('get', `/admin/calls/${id}?workspace_id=workspace-1`).expect(200)
    expect(body).toEqual({ ...calls[0], request_id: 'request-to-read', bodies: 'kept', arguments: {}, output: { notes: [] } })
    expect((await onward.admin('get', `/admin/calls/${id.toUpperCase()}`).expect(200)).body).toEqual(body)
  })

  it('has the id that the service gave the request', async () => {
    const { headers } = await joe.call('notes-read-notes').expect(200)
    const { body } = await onward.admin('get', `/admin/calls/${headers['x-call-id']}`).expect(200)
    expect(body.request_id).toBe(headers['x-request-id'])
  })

  it('says that bodies were not kept', async () => {
    const other = await openFunctions({ env: { CALL_BODIES: 'none' } })
    const user = other.user('joe')
    await user.connect('notes')
    const { headers } = await user.call('notes-read-notes').expect(200)
    const { body } = await other.admin('get', `/admin/calls/${headers['x-call-id']}`).expect(200)
    expect(body).toMatchObject({ bodies: 'not_kept' })
    expect(body).not.toHaveProperty('output')
  })

  it('answers 404 for an unknown call and for one of another workspace', async () => {
    const id = await call(joe, 'request-to-hide')
    for (const path of [`${id}?workspace_id=workspace-2`, `${id}?workspace_id=x`, uuidv7(), 'x']) {
      expect((await onward.admin('get', `/admin/calls/${path}`).expect(404)).body.code).toBe('call_not_found')
    }
  })
})

import { openScriptedServer, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { appFile, openWithApps } from '../support/oauth-support.ts'
import { openFunctions, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'notes'] as const) await joe.connect(app)
})

type Call = { id: string; function_name: string; outcome: string; started_at: string }

async function list(filter: object = {}, user = joe): Promise<Call[]> {
  return (await user.post('/calls/list', filter).expect(200)).body.calls
}

describe('POST /calls/list', () => {
  const made: string[] = []

  beforeAll(async () => {
    for (const name of ['notes-read-notes', 'desk-list-labels', 'notes-read-notes', 'desk-list-tickets', 'clock-get-time']) {
      made.unshift((await joe.call(name)).headers['x-call-id'] as string)
    }
    await onward.user('ann').call('clock-get-time').expect(502)
  })

  it("lists the caller's own calls, newest first", async () => {
    const calls = await list()
    expect(calls.map(({ id }) => id)).toEqual(made)
    expect(calls[1]).toEqual({
      id: made[1],
      function_name: 'desk-list-tickets',
      function_version: expect.stringMatching(/^[0-9a-f]{12}$/),
      app: 'desk',
      connected_account_id: expect.any(Number),
      outcome: 'answered',
      network_code: 200,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duration_ms: expect.any(Number),
    })
    expect(await list({}, onward.user('nobody'))).toEqual([])
    expect(await list({}, onward.user('joe', await onward.makeApplication('app-log')))).toEqual([])
  })

  it.each<[object, number[]]>([
    [{ function_name: 'notes-read-notes' }, [2, 4]],
    [{ app: 'desk' }, [1, 3]],
    [{ app: 'DESK' }, [1, 3]],
    [{ outcome: 'unreachable' }, [0]],
    [{ outcome: 'answered' }, [1, 2, 3, 4]],
    [{ outcome: 'unknown' }, []],
    [{ app: 'notes', outcome: 'answered', function_name: 'notes-read-notes' }, [2, 4]],
    [{ app: 'notes', function_name: 'desk-list-labels' }, []],
    [{ function_name: 'nothing' }, []],
    [{ app: '%' }, []],
    [{ since: '2020-01-01T00:00:00Z' }, [0, 1, 2, 3, 4]],
    [{ since: '2999-01-01T00:00:00Z' }, []],
    [{ until: '2020-01-01T00:00:00Z' }, []],
  ])('filters calls by %j', async (filter, expected) => {
    expect((await list(filter)).map(({ id }) => made.indexOf(id))).toEqual(expected)
  })

  it('includes since and excludes until', async () => {
    const calls = await list()
    const [newest, middle] = [calls[0]?.started_at, calls[2]?.started_at] as [string, string]
    // The API has milliseconds, the database microseconds.
    const after = new Date(Date.parse(middle) + 1).toISOString()
    expect((await list({ since: middle, until: after })).map(({ id }) => id)).toContain(made[2])
    expect((await list({ until: middle })).map(({ id }) => id)).not.toContain(made[2])
    expect((await list({ since: new Date(Date.parse(newest) + 1).toISOString() })).length).toBe(0)
    expect(await list({ since: middle.replace('Z', '+00:00') })).toEqual(await list({ since: middle }))
  })

  it.each(['body', 'query'] as const)('continues with a cursor in the %s and ends with a null cursor', async (place) => {
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = place === 'query' ? `/calls/list/?_cursor=${cursor}` : '/calls/list'
      const sent = { page_size: 2, ...(place === 'body' ? { _cursor: cursor } : {}) }
      const page: { calls: Call[]; _cursor: string | null } = (await joe.post(path, sent).expect(200)).body
      seen.push(...page.calls.map(({ id }) => id))
      cursor = page._cursor
    }
    expect(seen).toEqual(made)
    const { body } = await joe.post('/calls/list', { page_size: 5 }).expect(200)
    expect(body._cursor).toBeNull()
  })

  it.each<[object | string, RegExp]>([
    [{ outcome: 'lost' }, /^outcome: must be one of/],
    [{ since: 'yesterday' }, /^since: must be a valid date-time/],
    [{ since: '2026-13-01T00:00:00Z' }, /^since: /],
    [{ since: '2016-12-31T23:59:60Z' }, /^since: /],
    [{ until: '2026-01-01' }, /^until: /],
    [{ until: 5 }, /^until: /],
    [{ page_size: 0 }, /^page_size: /],
    [{ page_size: 201 }, /^page_size: /],
    [{ page_size: '5' }, /^page_size: /],
    [{ outcom: 'answered' }, /^outcom: is not known here; did you mean outcome\?/],
    [{ user_id: 'ann' }, /^user_id: is not known here/],
    [{ app: 5 }, /^app: must be text/],
    [{ app: 'no\u0000tes' }, /^app: /],
    [{ function_name: '\u0000' }, /^function_name: /],
    [{ _cursor: 'x' }, /^_cursor: /],
    [{ _cursor: Buffer.from('["x"]').toString('base64url') }, /^_cursor: /],
    [{ _cursor: Buffer.from('["00000000-0000-0000-0000-000000000000",1]').toString('base64url') }, /^_cursor: /],
  ])('refuses %j with 400', async (sent, problem) => {
    const { body } = await joe.post('/calls/list', sent).expect(400)
    expect(body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(problem)] })
  })
})

it.each([-7_200_000, 7_200_000])('finds a call by its time when the clock of the process is wrong by %i ms', async (wrong) => {
  const now = Date.now
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + wrong)
  const { headers } = await joe.call('notes-read-notes')
  clock.mockRestore()
  const at = (minutes: number) => new Date(now() + minutes * 60_000).toISOString()
  const found = await list({ since: at(-5), until: at(5) })
  expect(found.map(({ id }) => id)).toContain(headers['x-call-id'])
})

describe('an app that reports errors with status 200', () => {
  it('is told apart in the answer and in the calls log, and its calls count', async () => {
    const third = await openScriptedServer()
    const slate = appFile('slate', third.url, { type: 'none' }, { error: { pointer: '/ok', equals: false } })
    const other = await openWithApps([slate], { CALL_BODIES: 'errors' })
    const user = other.user('joe')
    const call = async (status: number, ok: boolean) => {
      third.respond((_received, response) => sendJson(response, status, { ok }))
      const { body, headers } = await user.call('slate-get-me').expect(200)
      const logged = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
      return { body, outcome: logged.body.outcome, stored: logged.body.output }
    }
    const failed = { network_code: 200, output: { ok: false }, meta: { app_error: true } }
    expect(await call(200, false)).toEqual({ body: failed, outcome: 'app_error', stored: { ok: false } })
    expect(await call(200, true)).toEqual({ body: { network_code: 200, output: { ok: true } }, outcome: 'answered', stored: undefined })
    const refused = { network_code: 404, output: { ok: false } }
    expect(await call(404, false)).toEqual({ body: refused, outcome: 'answered', stored: { ok: false } })
    expect((await list({ outcome: 'app_error' }, user)).map(({ function_name }) => function_name)).toEqual(['slate-get-me'])
    const { rows } = await sql<{ tasks: number }>`select sum(tasks)::int as tasks from outbox`.execute(other.db)
    expect(rows).toEqual([{ tasks: 3 }])
    await third.close()
  })
})

describe('POST /calls/:call_id/get', () => {
  it('returns the row of the list with its arguments and output', async () => {
    onward.third.respond((_received, response) => sendJson(response, 404, { found: [] }))
    const { headers } = await joe.call('desk-create-ticket', { subject: '{s}', _variables: { s: 'filled' } }).expect(200)
    const { body } = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    const [listed] = await list({ page_size: 1 })
    expect(body).toEqual({ ...listed, bodies: 'kept', arguments: { subject: 'filled', priority: 3 }, output: { found: [] } })
    expect(body.network_code).toBe(404)
    await joe.post(`/calls/${headers['x-call-id']}/get/`).expect(200, body)
  })

  it('returns the first part of a body of 100,000 characters, and its length', async () => {
    onward.third.respond((_received, response) => response.end(JSON.stringify('x'.repeat(100_000))) as never)
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body.output).toHaveLength(100_000)
    const logged = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect([logged.body.output, logged.body.cut]).toEqual([`"${'x'.repeat(32_767)}`, { output: 100_002 }])
    const stored = onward.db.updateTable('call_log').set({ output: '"[70000 characters, not kept]"' })
    await stored.where('call_id', '=', headers['x-call-id'] as string).execute()
    const earlier = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect([earlier.body.output, earlier.body.cut]).toEqual(['', { output: 70_000 }])
  })

  it('answers 404 for an unknown id and for a call of another user or application', async () => {
    const { headers } = await joe.call('notes-read-notes').expect(200)
    const id = headers['x-call-id'] as string
    const unknown = ['00000000-0000-7000-8000-000000000000', 'x', `${id}0`, '%00', "'", '__proto__', 'a'.repeat(5_000)]
    for (const each of unknown) await joe.post(`/calls/${each}/get`).expect(404).expect(notFound)
    await onward.user('ann').post(`/calls/${id}/get`).expect(404).expect(notFound)
    await onward
      .user('joe', await onward.makeApplication('app-get'))
      .post(`/calls/${id}/get`)
      .expect(404)
      .expect(notFound)
    await joe.post(`/calls/${id.toUpperCase()}/get`).expect(200)
  })

  const notFound = ({ body }: { readonly body: unknown }) =>
    expect(body).toEqual({ error: 'you have no such call', error_details: [], code: 'call_not_found', request_id: expect.any(String) })
})

describe.each<[string, number[]]>([
  ['none', []],
  ['errors', [404]],
  ['all', [200, 404]],
])('CALL_BODIES=%s', (kept, statuses) => {
  it('stores the bodies that it names, and always the rest of the row', async () => {
    const other = await openFunctions({ env: { CALL_BODIES: kept } })
    const user = other.user('joe')
    await user.connect('desk')
    for (const status of [200, 404]) {
      other.third.respond((_received, response) => sendJson(response, status, { response: 'canary-output' }))
      const { headers } = await user.call('desk-create-ticket', { subject: 'canary-subject' }).expect(200)
      const { body } = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
      const bodies = { arguments: { subject: 'canary-subject', priority: 3 }, output: { response: 'canary-output' } }
      expect(body).toEqual({ ...body, network_code: status, ...(statuses.includes(status) ? bodies : {}) })
      expect('output' in body || 'arguments' in body).toBe(statuses.includes(status))
      expect(body.bodies).toBe(statuses.includes(status) ? 'kept' : 'not_kept')
    }
    const closed = await user.connect('desk', { url: 'http://127.0.0.1:1' })
    const query = `?connected_account_id=${closed}`
    const { headers } = await user.call('desk-create-ticket', { subject: 'canary-subject' }, query).expect(502)
    const { body } = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect('arguments' in body).toBe(kept !== 'none')
  })
})

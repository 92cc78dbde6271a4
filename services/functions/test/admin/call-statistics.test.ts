import { setTimeout } from 'node:timers/promises'
import { uuidv7 } from '@onward/runtime'
import { sql } from 'kysely'
import { percentileOf } from '../../src/statistics/call-groups.ts'
import { openRecentCalls } from '../../src/statistics/recent-calls.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()
const HOUR = 3_600_000
// The tests take less than a minute. If the hour ends within it, they wait for the next one.
const thisHour = Math.floor((Date.now() + 60_000) / HOUR) * HOUR
const at = (hours: number, ms = 0) => new Date(thisHour + hours * HOUR + ms)

type Logged = {
  readonly at: Date
  readonly appKey?: string
  readonly fn?: string
  readonly outcome?: string
  readonly code?: number | null
  readonly ms?: number | null
  readonly internal?: boolean
}

async function log({ at: time, appKey = 'app-1', fn = 'desk-a', outcome = 'answered', code = 200, ms = 10, internal = false }: Logged) {
  const id = uuidv7(+time)
  await sql`
    insert into call_log (call_id, app_key, user_id, function_name, function_version, app, outcome, network_code, duration_ms, occurred_at, internal)
    values (${id}, ${appKey}, 'joe', ${fn}, 'v', ${fn.split('-')[0]}, ${outcome}, ${code}, ${ms}, ${time}, ${internal})`.execute(onward.db)
  return id
}

const statistics = async (query = '', since = at(-50)) =>
  (await onward.admin('get', `/admin/calls/statistics?since=${since.toISOString()}&${query}`).expect(200)).body
const count = async () => await onward.admin('post', '/admin/retention/run', {}).expect(200)
const hour = (hours: number, calls: number, more: object = {}) => ({
  hour: at(hours).toISOString(),
  key: null,
  calls,
  tasks: calls,
  failed: 0,
  p50_ms: expect.any(Number),
  p95_ms: expect.any(Number),
  ...more,
})

describe('GET /admin/calls/statistics', () => {
  let newestFailure: string

  beforeAll(async () => {
    while (Date.now() < thisHour) await setTimeout(100)
    await onward.makeApplication('app-2')
    await onward.makeApplication('app-3', 'workspace-2')
    await log({ at: at(-30) })
    await log({ at: at(-30, HOUR - 1), fn: 'desk-b', code: 404 })
    await log({ at: at(-3), appKey: 'app-2', fn: 'maps-c', outcome: 'unreachable', code: null, ms: null })
    await log({ at: at(-3, 1), appKey: 'app-3', outcome: 'app_error' })
    await log({ at: at(-3, 2), internal: true })
    await log({ at: at(-1), fn: 'desk-b', code: 404 })
    newestFailure = await log({ at: at(0), fn: 'desk-b', code: 404 })
    await log({ at: at(0), appKey: 'app-3' })
  })

  const RECENT = [hour(-1, 1, { failed: 1 }), hour(0, 2, { failed: 1 })]
  const ALL = [hour(-30, 2, { failed: 1 }), hour(-3, 2, { tasks: 1, failed: 2 }), ...RECENT]

  it('counts the calls of the last two hours before these were counted, and older ones when they were', async () => {
    expect(await statistics()).toMatchObject({ as_of: expect.any(String), hours: RECENT })
    await count()
    expect((await statistics()).hours).toEqual(ALL)
  })

  it('has the calls of the last counted hour by workspace in the metrics', async () => {
    await sql`update counted_hour set hour = hour - interval '100 years' where hour > ${at(-3)}`.execute(onward.db)
    const { text } = await onward.admin('get', '/metrics').expect(200)
    const samples = text.match(/^onward_functions_workspace_calls\{.*/gm)
    await sql`update counted_hour set hour = hour + interval '100 years' where hour < ${at(-500_000)}`.execute(onward.db)
    expect(samples).toEqual([
      'onward_functions_workspace_calls{workspace="workspace-1",service="functions"} 1',
      'onward_functions_workspace_calls{workspace="workspace-2",service="functions"} 1',
    ])
  })

  it('counts an hour once more an hour after its end, with the calls that were logged late', async () => {
    // As if the hour had been counted right after its end.
    await sql`update counted_hour set counted_at = ${at(-1, 1)} where hour = ${at(-2)}`.execute(onward.db)
    const id = await log({ at: at(-2, 5) })
    expect((await statistics()).hours).toEqual(ALL)
    await count()
    expect((await statistics()).hours).toEqual(ALL.toSpliced(2, 0, hour(-2, 1)))
    await sql`delete from call_log where call_id = ${id}`.execute(onward.db)
    await count()
    expect((await statistics()).hours).toHaveLength(ALL.length + 1)
    await sql`delete from call_hour where hour = ${at(-2)}`.execute(onward.db)
  })

  it.each<[string, [number, number][]]>([
    [
      'workspace_id=workspace-1',
      [
        [-30, 2],
        [-3, 1],
        [-1, 1],
        [0, 1],
      ],
    ],
    [
      'workspace_id=workspace-2',
      [
        [-3, 1],
        [0, 1],
      ],
    ],
    ['workspace_id=workspace-3', []],
    ['app_key=app-2', [[-3, 1]]],
    ['workspace_id=workspace-2&app_key=app-2', []],
    ['app=MAPS', [[-3, 1]]],
    [
      'app=desk&workspace_id=workspace-2',
      [
        [-3, 1],
        [0, 1],
      ],
    ],
    [
      'function_name=desk-b',
      [
        [-30, 1],
        [-1, 1],
        [0, 1],
      ],
    ],
    [`until=${at(-3).toISOString()}`, [[-30, 2]]],
    [
      `until=${at(-3, 1).toISOString()}`,
      [
        [-30, 2],
        [-3, 2],
      ],
    ],
    [
      `until=${at(0).toISOString()}`,
      [
        [-30, 2],
        [-3, 2],
        [-1, 1],
      ],
    ],
  ])('filters by %s', async (query, expected) => {
    const { hours, causes } = await statistics(query)
    expect(hours).toMatchObject(expected.map(([hours, calls]) => ({ hour: at(hours).toISOString(), calls })))
    const failed = hours.reduce((sum: number, each: { failed: number }) => sum + each.failed, 0)
    expect(causes.reduce((sum: number, each: { calls: number }) => sum + each.calls, 0)).toBe(failed)
  })

  it.each<[string, [number, string, number][]]>([
    [
      'app',
      [
        [-30, 'desk', 2],
        [-3, 'desk', 1],
        [-3, 'maps', 1],
        [-1, 'desk', 1],
        [0, 'desk', 2],
      ],
    ],
    [
      'app_key',
      [
        [-30, 'app-1', 2],
        [-3, 'app-2', 1],
        [-3, 'app-3', 1],
        [-1, 'app-1', 1],
        [0, 'app-1', 1],
        [0, 'app-3', 1],
      ],
    ],
    [
      'function_name',
      [
        [-30, 'desk-a', 1],
        [-30, 'desk-b', 1],
        [-3, 'desk-a', 1],
        [-3, 'maps-c', 1],
        [-1, 'desk-b', 1],
        [0, 'desk-a', 1],
        [0, 'desk-b', 1],
      ],
    ],
  ])('divides the hours by %s', async (by, expected) => {
    const { hours } = await statistics(`by=${by}`)
    expect(hours).toMatchObject(expected.map(([hours, key, calls]) => ({ hour: at(hours).toISOString(), key, calls })))
  })

  it('sums up all hours, for each key', async () => {
    const { totals } = await statistics('by=app')
    const sums = (key: string, calls: number, tasks: number, failed: number) => ({ key, calls, tasks, failed })
    expect(totals).toMatchObject([sums('desk', 6, 6, 4), sums('maps', 1, 0, 1)])
    expect(totals.map(({ p50_ms, p95_ms }: { p50_ms: unknown; p95_ms: unknown }) => [p50_ms, p95_ms])).toEqual([
      [11, 15],
      [null, null],
    ])
    expect((await statistics()).totals).toMatchObject([{ key: null, calls: 7, tasks: 6, failed: 5 }])
    expect((await statistics('app_key=app-0')).totals).toEqual([])
  })

  it('lists the most frequent failures with the newest call of each', async () => {
    const { causes } = await statistics()
    expect(causes).toHaveLength(3)
    expect(causes[0]).toEqual({
      app: 'desk',
      function_name: 'desk-b',
      outcome: 'answered',
      network_code: 404,
      calls: 3,
      last_call_id: newestFailure,
    })
    expect(causes).toContainEqual(
      expect.objectContaining({ function_name: 'maps-c', outcome: 'unreachable', network_code: null, calls: 1 }),
    )
  })

  it('says how many users a failure affects and what the app says, on request', async () => {
    await sql`update call_log set user_id = 'ann', output = ${'{"error":{"message":"No such ticket"}}'} where call_id = ${newestFailure}`.execute(
      onward.db,
    )
    const { causes } = await statistics('describe_causes=true')
    expect(causes[0]).toMatchObject({ calls: 3, users: 2, users_complete: true, message: 'No such ticket' })
    expect(causes[1]).toMatchObject({ calls: 1, users: 1, users_complete: true })
    expect(causes[1]).not.toHaveProperty('message')
    const [older] = (await statistics(`describe_causes=true&until=${at(0).toISOString()}`)).causes
    expect(older).toMatchObject({ function_name: 'desk-b', calls: 2, users: 1 })
    const { causes: ofAnother } = await statistics('describe_causes=true&workspace_id=workspace-2')
    expect(ofAnother).toMatchObject([{ outcome: 'app_error', users: 1 }])
  })

  it('starts with the hour that contains since, which is 24 hours ago by default', async () => {
    const { body } = await onward.admin('get', '/admin/calls/statistics').expect(200)
    expect(body.hours).toEqual(ALL.slice(1))
    expect((await statistics('', at(-1, 7))).hours).toEqual(RECENT)
  })

  it('returns at most 50 keys, those with the most calls', async () => {
    const since = at(-2)
    for (let n = 0; n < 60; n++) for (let i = 0; i < (n < 50 ? 2 : 1); i++) await log({ at: at(-2), fn: `many-${n}` })
    await sql`delete from counted_hour where hour = ${since}`.execute(onward.db)
    await count()
    const { hours } = await statistics(`by=function_name&until=${at(-1).toISOString()}`, since)
    expect(hours).toHaveLength(50)
    expect(hours.every(({ calls }: { calls: number }) => calls === 2)).toBe(true)
  })

  it.each(['since=yesterday', 'by=user_id', 'until=2099-01-01T00:00:00Z', 'since=2016-12-31T23:59:60Z'])(
    'refuses %s with 400',
    async (query) => {
      await onward.admin('get', `/admin/calls/statistics?${query}`).expect(400)
    },
  )

  it('deletes the counts of hours that are older than the calls log', async () => {
    const old = at(-24 * 92)
    await sql`insert into counted_hour (hour) values (${old})`.execute(onward.db)
    await sql`
      insert into call_hour (hour, app_key, app, function_name, outcome, calls, durations, last_call_id)
      values (${old}, 'app-1', 'desk', 'desk-a', 'answered', 1, array_fill(0, array[16]), ${uuidv7()})`.execute(onward.db)
    expect((await count()).body.deleted).toContainEqual({ table: 'call_hour', rows: 1 })
    expect(await onward.db.selectFrom('counted_hour').select('hour').where('hour', '=', old).execute()).toEqual([])
  })
})

describe('recent calls', () => {
  it('are counted once, also when they are read again', async () => {
    await sql`truncate call_log`.execute(onward.db)
    const recent = openRecentCalls(onward.db)
    const now = performance.now
    const total = async () => (await recent()).groups.reduce((sum, { calls }) => sum + calls, 0)
    const later = async (ms: number) => {
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ms)
      const calls = await total()
      clock.mockRestore()
      return calls
    }
    for (const ms of [-HOUR, -180_000, -60_000, -1]) await log({ at: new Date(Date.now() + ms) })
    expect(await Promise.all([total(), total()])).toEqual([4, 4])
    await log({ at: new Date() })
    expect(await total()).toBe(4)
    expect(await later(15_001)).toBe(5)
    expect(await later(30_002)).toBe(5)
  })
})

it.each<[Readonly<Record<number, number>>, number, number | null]>([
  [{}, 0.5, null],
  [{ 0: 1 }, 0.5, 1],
  [{ 3: 100 }, 0.5, 11],
  [{ 3: 100 }, 1, 16],
  [{ 3: 50, 9: 50 }, 0.5, 16],
  [{ 3: 50, 9: 50 }, 0.95, 955],
  [{ 3: 94, 15: 6 }, 0.95, 36_781],
])('of the durations %j, the percentile %d is %p ms', (calls, share, expected) => {
  const durations = Array.from({ length: 16 }, (_, place) => calls[place] ?? 0)
  expect(percentileOf(durations, share)).toBe(expected)
})

describe('GET /admin/attention', () => {
  it('counts broken accounts by workspace, app and status, and rejected functions', async () => {
    const read = async (query = '') => (await onward.admin('get', `/admin/attention${query}`).expect(200)).body
    expect(await read()).toEqual({ broken_accounts: [], rejected_functions: 0, pending_approvals: 0 })
    const zoe = onward.user('zoe', await onward.makeApplication('app-4', 'workspace-2'))
    const ids = [await zoe.connect('desk'), await zoe.connect('desk'), await zoe.connect('notes')]
    for (const [place, status] of ['expired', 'reconnect_required', 'reconnect_required'].entries()) {
      await sql`update connected_account set status = ${status} where id = ${ids[place]}`.execute(onward.db)
    }
    await onward.user('joe').connect('desk')
    const broken = [
      { app: 'desk', status: 'expired', accounts: 1 },
      { app: 'desk', status: 'reconnect_required', accounts: 1 },
      { app: 'notes', status: 'reconnect_required', accounts: 1 },
    ]
    expect((await read()).broken_accounts).toEqual(broken)
    expect((await read('?workspace_id=workspace-2')).broken_accounts).toEqual(broken)
    expect((await read('?workspace_id=workspace-1')).broken_accounts).toEqual([])
  })

  it('counts the calls of a workspace that wait for an approval', async () => {
    const application = await onward.makeApplication('app-5', 'workspace-3')
    const user = onward.user('zoe', application)
    await user.connect('desk')
    await onward.admin('put', `/admin/applications/${application.appKey}/policy`, { rules: [{ result: 'ask' }] }).expect(200)
    const ids: string[] = []
    for (const subject of ['a', 'b', 'c']) ids.push((await user.call('desk-create-ticket', { subject }).expect(403)).body.approval_id)
    await user.post(`/approvals/${ids[0]}/decide`, { result: 'refused' }).expect(200)
    await sql`update approval set expires_at = now() where id = ${ids[1]}`.execute(onward.db)
    const pending = async (workspace: string) =>
      (await onward.admin('get', `/admin/attention?workspace_id=${workspace}`).expect(200)).body.pending_approvals
    expect([await pending('workspace-3'), await pending('workspace-1')]).toEqual([1, 0])
  })
})

import { uuidv7 } from '@onward/runtime'
import { sql } from 'kysely'
import { daysAgo, task, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
let workspace: Workspace
beforeEach(async () => {
  await sql`truncate quarantine`.execute(insights.db)
  workspace = await insights.workspace()
})

type Item = { id: number; app_key: string | null; reason: string; job_id: string; event: string; created_at: string }

const list = async (query = ''): Promise<{ quarantined: Item[]; _cursor: string | null }> =>
  (await insights.admin.get(`/admin/quarantine${query}`).expect(200)).body
const replay = async (body: object = {}) => (await insights.admin.post('/admin/quarantine/replay', body).expect(200)).body
const consumed = async (user: string) => (await workspace.status(user).expect(200)).body.tasks_consumed as number

/** Lets the database reject events of a function while they are consumed. */
async function refused(events: readonly object[]): Promise<void> {
  await sql`alter table task_event add constraint poison check (function_name <> 'poison') not valid`.execute(insights.db)
  await insights.consume(events.map((event) => ({ ...event, function_name: 'poison' })))
  await sql`alter table task_event drop constraint poison`.execute(insights.db)
}

describe('GET /admin/quarantine', () => {
  it('lists events that could not be counted, newest first, in pages', async () => {
    const events = workspace.tasks('joe', 5, daysAgo(36))
    await insights.consume(events)
    const first = await list('?page_size=3')
    const second = await list(`?page_size=3&_cursor=${first._cursor}`)
    const all = [...first.quarantined, ...second.quarantined]
    expect(all.map(({ event }) => JSON.parse(event))).toEqual(events.toReversed())
    expect(all[0]).toMatchObject({ app_key: workspace.appKey, reason: 'occurred_at: is more than 35 days ago' })
    expect(second._cursor).toBeNull()
  })

  it('filters by application and by a text in the reason', async () => {
    const other = await insights.workspace()
    await insights.consume([...workspace.tasks('joe', 1, daysAgo(36)), ...other.tasks('joe', 1, daysAgo(36)), { app_key: other.appKey }])
    expect((await list(`?app_key=${other.appKey}`)).quarantined).toHaveLength(2)
    expect((await list('?reason=IS%20REQUIRED')).quarantined.map(({ app_key }) => app_key)).toEqual([other.appKey])
    expect((await list('?reason=50%25')).quarantined).toEqual([])
  })

  it('lists events with NUL, half of a surrogate pair, or no readable field', async () => {
    await insights.consume([...workspace.tasks('joe', 1).map((event) => ({ ...event, extra: 'a\0' })), null, { app_key: 5, id: 'x' }])
    expect((await list()).quarantined.map(({ app_key }) => app_key)).toEqual([null, null, workspace.appKey])
  })

  it('stores the times of events in the years 1 to 9999', async () => {
    const times = [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00Z',
      '1900-06-01T12:00:00Z',
      '9999-12-31T23:59:59Z',
      '+010000-01-01T00:00:00Z',
    ]
    await insights.consume(times.map((occurred_at) => ({ occurred_at })))
    const { rows } = await sql<{ stored: string | null }>`
      select to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as stored from quarantine order by id`.execute(
      insights.db,
    )
    expect(rows.map(({ stored }) => stored)).toEqual([null, times[1], times[2], times[3], null])
  })

  it.each(['?page_size=0', '?page_size=201', '?_cursor=nonsense', '?_cursor=WyJhIl0'])('refuses %s', async (query) => {
    await insights.admin.get(`/admin/quarantine${query}`).expect(400)
  })

  it('is counted in a metric', async () => {
    await insights.consume(workspace.tasks('joe', 2, daysAgo(36)))
    expect(await insights.metric('quarantine_rows')).toBe(2)
  })
})

describe('POST /admin/quarantine/replay', () => {
  it('counts events that are now valid, and announces levels', async () => {
    const id = (await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: 'http://127.0.0.1:9/' }).expect(200)).body
      .subscription_id
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 3 }]).expect(200)
    await refused(workspace.tasks('joe', 3))
    expect(await consumed('joe')).toBe(0)
    expect(await replay()).toEqual({ counted: 3, repeated: 0, refused: 0, _cursor: null })
    expect(await consumed('joe')).toBe(3)
    expect((await list()).quarantined).toEqual([])
    expect(await insights.db.selectFrom('delivery').select('level').where('subscription_id', '=', id).execute()).toEqual([{ level: 100 }])
  })

  it('removes events that were counted since, without counting them again', async () => {
    const [event] = workspace.tasks('joe', 1)
    await refused([event as object])
    await insights.consume([event])
    expect(await replay()).toEqual({ counted: 0, repeated: 1, refused: 0, _cursor: null })
    expect(await consumed('joe')).toBe(1)
    expect((await list()).quarantined).toEqual([])
  })

  it('keeps events that are still invalid, with their new reason', async () => {
    const [old] = workspace.tasks('joe', 1, daysAgo(36))
    await refused(workspace.tasks('ann', 1))
    await insights.consume([{ ...old, user_id: '' }])
    await sql`update quarantine set reason = 'of yesterday'`.execute(insights.db)
    expect(await replay()).toEqual({ counted: 1, repeated: 0, refused: 1, _cursor: null })
    expect((await list()).quarantined.map(({ reason }) => reason)).toEqual(['user_id: must not be empty'])
  })

  it('replays only the given ids', async () => {
    await refused(workspace.tasks('joe', 3))
    const [newest, middle] = (await list()).quarantined
    expect(await replay({ ids: [newest?.id, middle?.id, 4_000_000_000] })).toMatchObject({ counted: 2, _cursor: null })
    expect(await consumed('joe')).toBe(2)
    expect((await list()).quarantined).toHaveLength(1)
  })

  it('replays all entries in pages', async () => {
    await insights.consume(Array.from({ length: 250 }, () => task(workspace.appKey, 'joe', daysAgo(36))))
    const first = await replay()
    expect(first).toEqual({ counted: 0, repeated: 0, refused: 200, _cursor: expect.any(String) })
    expect(await replay({ _cursor: first._cursor })).toEqual({ counted: 0, repeated: 0, refused: 50, _cursor: null })
  })

  it('splits a whole job when its envelope is valid now', async () => {
    const jobId = uuidv7()
    const [good, late] = [...workspace.tasks('joe', 1), ...workspace.tasks('joe', 1, daysAgo(36))]
    await insights.addJob({ evnets: [good, late] }, jobId)
    expect(await replay()).toEqual({ counted: 0, repeated: 0, refused: 1, _cursor: null })
    const text = JSON.stringify({ events: [good, late] })
    await sql`update quarantine set event = ${text}, digest = sha256(convert_to(${`${jobId}/-1/${text}`}, 'UTF8'))`.execute(insights.db)
    expect(await replay()).toEqual({ counted: 1, repeated: 0, refused: 1, _cursor: null })
    expect(await consumed('joe')).toBe(1)
    expect((await list()).quarantined).toMatchObject([{ app_key: workspace.appKey, reason: 'occurred_at: is more than 35 days ago' }])
  })

  it('does not treat an event as a job', async () => {
    await insights.consume([{ events: workspace.tasks('joe', 2) }])
    expect(await replay()).toMatchObject({ counted: 0, refused: 1 })
    expect(await insights.db.selectFrom('task_event').selectAll().where('app_key', '=', workspace.appKey).execute()).toEqual([])
  })

  it.each([[{ ids: [] }], [{ ids: [0] }], [{ ids: ['1'] }], [{ ids: [1, 1] }], [{ all: true }]])('refuses %j', async (body) => {
    await insights.admin.post('/admin/quarantine/replay', body).expect(400)
  })
})

describe('DELETE /admin/quarantine/:id', () => {
  it('deletes an entry once', async () => {
    await insights.consume(workspace.tasks('joe', 2, daysAgo(36)))
    const [newest] = (await list()).quarantined
    await insights.admin.delete(`/admin/quarantine/${newest?.id}`).expect(200, { success: true })
    await insights.admin.delete(`/admin/quarantine/${newest?.id}`).expect(404)
    expect((await list()).quarantined).toHaveLength(1)
  })

  it.each(['0', '-1', 'x', '1e3', '99999999999999999999'])('answers 404 for the id %s', async (id) => {
    expect((await insights.admin.delete(`/admin/quarantine/${id}`).expect(404)).body.code).toBe('not_found')
  })
})

import { uuidv7 } from '@onward/runtime'
import { eventually, queueBackends } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo, type Insights, task } from './insights.ts'
import { useInsights } from './use-insights.ts'

describe.each(queueBackends())('tasks from the %s queue', (backend) => {
  const insights = useInsights({ backend })

  it('count once each, however often and in whatever jobs they come', async () => {
    const workspace = await insights.workspace()
    const events = workspace.tasks('joe', 5)
    await insights.consume(events)
    await insights.consume(events)
    await insights.consume([...events.slice(3), ...workspace.tasks('joe', 2), ...workspace.tasks('ann', 1)])
    const { body } = await workspace.list().expect(200)
    expect(body.map((each: { user_id: string; tasks_consumed: number }) => [each.user_id, each.tasks_consumed])).toEqual([
      ['ann', 1],
      ['joe', 7],
    ])
  })

  it('count once when the same id is in a job twice', async () => {
    const workspace = await insights.workspace()
    const [event] = workspace.tasks('joe', 1)
    await insights.consume([event, event, { ...event, id: event?.id.toUpperCase() }])
    expect((await workspace.status('joe')).body.tasks_consumed).toBe(1)
  })
})

describe('tasks', () => {
  const insights = useInsights()

  const consumedBy = async (workspace: Awaited<ReturnType<Insights['workspace']>>, user: string) =>
    (await workspace.status(user).expect(200)).body.tasks_consumed as number
  const periods = async (appKey: string) => {
    const rows = await insights.db.selectFrom('usage_period').selectAll().where('app_key', '=', appKey).orderBy('starts_at').execute()
    return rows.map((row) => [row.starts_at, Number(row.consumed)])
  }
  const quarantined = async (text: string) =>
    await insights.db.selectFrom('quarantine').selectAll().where('event', 'like', `%${text}%`).orderBy('id').execute()

  it('keep the first content of an id and count other contents in a metric', async () => {
    const workspace = await insights.workspace()
    const [event] = workspace.tasks('joe', 1)
    const before = await insights.metric('tasks_conflicting_total')
    const repeatedBefore = await insights.metric('tasks_repeated_total')
    await insights.consume([event])
    await insights.consume([event, { ...event, user_id: 'ann' }])
    expect(await consumedBy(workspace, 'joe')).toBe(1)
    expect(await consumedBy(workspace, 'ann')).toBe(0)
    expect(await insights.metric('tasks_conflicting_total')).toBe(before + 1)
    expect(await insights.metric('tasks_repeated_total')).toBe(repeatedBefore + 2)
  })

  it('count in concurrent jobs with users in any order', async () => {
    const workspace = await insights.workspace()
    const users = Array.from({ length: 20 }, (_, i) => `user-${i}`)
    const jobs = Array.from({ length: 12 }, (_, i) => users.map((user) => task(workspace.appKey, user)).sort(() => (i % 2 ? 1 : -1)))
    await Promise.all([...jobs, ...jobs].map(async (events) => await insights.consume(events)))
    const { body } = await workspace.list().expect(200)
    expect(body.map((each: { tasks_consumed: number }) => each.tasks_consumed)).toEqual(users.map(() => 12))
  })

  it('count in the period in which they occurred, relative to the first counted task', async () => {
    const workspace = await insights.workspace(10)
    const anchor = daysAgo(12)
    await insights.consume([...workspace.tasks('joe', 1, new Date(anchor.getTime() + 1_000)), ...workspace.tasks('joe', 1, anchor)])
    await insights.consume([
      ...workspace.tasks('joe', 3, daysAgo(1)),
      ...workspace.tasks('joe', 4, daysAgo(12.5)),
      ...workspace.tasks('joe', 5, daysAgo(33)),
    ])
    const at = (days: number) => new Date(anchor.getTime() + days * 86_400_000)
    expect(await periods(workspace.appKey)).toEqual([
      [at(-30), 5],
      [at(-10), 4],
      [at(0), 2],
      [at(10), 3],
    ])
    expect((await workspace.status('joe')).body).toMatchObject({ tasks_consumed: 3, limit_period: '10', limit_reset_after: 8 })
  })

  it('start at 0 again when the period ends', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 6, daysAgo(31)))
    expect((await workspace.status('joe')).body).toMatchObject({ tasks_consumed: 0, tasks_remaining: 10_000, limit_reset_after: 29 })
  })

  it.each([
    ['tasks older than 35 days', () => daysAgo(35.01), 'more than 35 days ago'],
    ['tasks more than 5 minutes ahead', () => new Date(Date.now() + 330_000), 'more than 5 minutes ahead'],
  ])('%s go to quarantine while the others count', async (_what, at, reason) => {
    const workspace = await insights.workspace()
    await insights.consume([...workspace.tasks('joe', 1, at()), ...workspace.tasks('joe', 2)])
    expect(await consumedBy(workspace, 'joe')).toBe(2)
    expect(await quarantined(workspace.appKey)).toMatchObject([{ reason: expect.stringContaining(reason) }])
  })

  it('count when they are up to 35 days old or slightly in the future', async () => {
    const workspace = await insights.workspace()
    await insights.consume([...workspace.tasks('joe', 1, daysAgo(34.99)), ...workspace.tasks('ann', 1, new Date(Date.now() + 200_000))])
    expect(await quarantined(workspace.appKey)).toEqual([])
  })

  // BullMQ's Postgres backend cannot store these.
  const UNSTORABLE = [
    ['NUL in the user id', { user_id: 'a\0b' }, 'user_id: must not hold NUL'],
    ['half of a surrogate pair', { user_id: 'a\ud800b' }, 'user_id: must not hold NUL or half'],
    ['NUL in the name of an unknown field', { 'a\0b': 1 }, 'a\\0b: is not known here'],
    ['NUL in the function name', { function_name: 'a\0b' }, 'function_name: must not hold NUL'],
  ] as const
  it.each<readonly [string, object, string]>([
    ['no user', { user_id: undefined }, 'user_id: is required'],
    ['an empty user id', { user_id: '' }, 'user_id: must not be empty'],
    ['a number for a user', { user_id: 7 }, 'user_id: must be text'],
    ['an id that is not a uuid', { id: 'x' }, 'id: must be a valid uuid'],
    ['a uuid as URN', { id: `urn:uuid:${uuidv7()}` }, 'id: must be a bare uuid'],
    ['an invalid time', { occurred_at: 'yesterday' }, 'occurred_at: must be a valid date-time'],
    ['a time that does not exist', { occurred_at: '2026-06-30T23:59:60Z' }, 'occurred_at'],
    ['an unknown field', { surprise: 1 }, 'surprise: is not known here'],
    ['a user id of 1 026 bytes', { user_id: '界'.repeat(342) }, 'user_id: must not have more than 1024 bytes'],
    ...(queueBackends().includes('redis') ? UNSTORABLE : []),
  ])('with %s go to quarantine once while the others count', async (_what, change, reason) => {
    const workspace = await insights.workspace()
    const [good, bad] = workspace.tasks('joe', 2)
    const jobId = uuidv7()
    await insights.addJob({ events: [{ ...bad, ...change }, good] }, jobId)
    await insights.forgetJob(jobId)
    await insights.addJob({ events: [{ ...bad, ...change }, good] }, jobId)
    expect(await consumedBy(workspace, 'joe')).toBe(1)
    expect(await quarantined(workspace.appKey)).toMatchObject([{ job_id: jobId, reason: expect.stringContaining(reason) }])
  })

  it.each([
    ['no envelope', [{ id: 1 }]],
    ['no events', { events: [] }],
    ['something else', { evnets: [1] }],
    ['text', 'nonsense'],
  ])('in a job with %s go to quarantine as a whole job', async (_what, data) => {
    const jobId = uuidv7()
    await insights.addJob(data, jobId)
    const rows = await insights.db.selectFrom('quarantine').selectAll().where('job_id', '=', jobId).execute()
    expect(rows.map((row) => JSON.parse(row.event))).toEqual([data])
  })

  it('that are not objects go to quarantine', async () => {
    const workspace = await insights.workspace()
    const before = await insights.metric('tasks_quarantined_total')
    await insights.consume([null, 5, 'x', [], ...workspace.tasks('joe', 1)])
    expect(await consumedBy(workspace, 'joe')).toBe(1)
    expect(await insights.metric('tasks_quarantined_total')).toBe(before + 4)
  })

  it('that the database rejects go to quarantine while the others count', async () => {
    const workspace = await insights.workspace()
    await sql`alter table task_event add constraint poison check (function_name <> 'poison')`.execute(insights.db)
    const events = workspace.tasks('joe', 40).map((event, i) => (i === 3 || i === 29 ? { ...event, function_name: 'poison' } : event))
    await insights.consume(events)
    await sql`alter table task_event drop constraint poison`.execute(insights.db)
    expect(await consumedBy(workspace, 'joe')).toBe(38)
    const kept = await quarantined(workspace.appKey)
    expect(kept.map((row) => JSON.parse(row.event).id)).toEqual([events[3]?.id, events[29]?.id])
    expect(kept[0]?.reason).toContain('the database refuses it')
  })

  it('count after the database has failed for a while', async () => {
    const workspace = await insights.workspace()
    await sql`alter table usage_period rename to hidden`.execute(insights.db)
    const consumed = insights.consume(workspace.tasks('joe', 3))
    await eventually(async () => {
      if (!(await insights.hasFailedJob())) throw new Error('no attempt has failed yet')
    })
    await sql`alter table hidden rename to usage_period`.execute(insights.db)
    await consumed
    expect(await consumedBy(workspace, 'joe')).toBe(3)
    expect(await quarantined(workspace.appKey)).toEqual([])
  })

  it('count in a job of 500 events', async () => {
    const workspace = await insights.workspace()
    await insights.consume(Array.from({ length: 500 }, (_, i) => task(workspace.appKey, `user-${i % 100}`)))
    expect(await consumedBy(workspace, 'user-42')).toBe(5)
  })
})

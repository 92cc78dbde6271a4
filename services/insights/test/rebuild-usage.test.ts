import { sql } from 'kysely'
import { daysAgo, task, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
let workspace: Workspace
beforeEach(async () => {
  await sql`truncate usage_user, usage_period, usage_day, task_event, delivery, delivery_attempt`.execute(insights.db)
  await sql`update event_retention set kept_since = '-infinity'`.execute(insights.db)
  workspace = await insights.workspace(10)
})

const rebuild = async (body: object = {}) => (await insights.admin.post('/admin/usage/rebuild', body).expect(200)).body
const usage = async () => ({
  periods: await insights.db.selectFrom('usage_period').selectAll().orderBy('user_id').orderBy('starts_at').execute(),
  days: await insights.db.selectFrom('usage_day').selectAll().orderBy('user_id').orderBy('day').execute(),
})

/** Consumes tasks in several periods of two users: some late, some before the anchor, some in the five minutes before it. */
async function someTasks(): Promise<void> {
  const anchor = daysAgo(20)
  await insights.consume(workspace.tasks('joe', 2, anchor))
  await insights.consume([
    ...workspace.tasks('joe', 3, new Date(+anchor - 240_000)),
    ...workspace.tasks('joe', 4, new Date(+anchor - 360_000)),
    ...[0.5, 9.999, 10, 10.001, 15, 19.9].map((days) => task(workspace.appKey, 'joe', new Date(+anchor + days * 86_400_000))),
    ...workspace.tasks('ann', 5),
  ])
}

describe('POST /admin/usage/rebuild', () => {
  it('finds no difference when all figures are correct', async () => {
    await someTasks()
    const before = await usage()
    const response = await rebuild()
    expect(response).toMatchObject({ users: 2, periods: 4, differing: 0, corrected: 0, _cursor: null })
    expect(response.days).toBe(before.days.length)
    expect(await usage()).toEqual(before)
  })

  it('finds no difference after the length of the period has changed', async () => {
    await someTasks()
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period: 3 }).expect(200)
    await insights.consume([...workspace.tasks('joe', 2), ...workspace.tasks('joe', 1, daysAgo(31)), ...workspace.tasks('ann', 1)])
    expect(await rebuild({ dry_run: true })).toMatchObject({ differing: 0 })
  })

  it('reports wrong periods and days, and changes nothing in a dry run', async () => {
    await someTasks()
    await sql`update usage_period set consumed = consumed + 1 where user_id = 'ann'`.execute(insights.db)
    await sql`update usage_day set consumed = consumed + 1 where user_id = 'ann'`.execute(insights.db)
    const before = await usage()
    const counted = await insights.metric('usage_differing_total')
    expect(await rebuild({ dry_run: true })).toMatchObject({ differing: 2, corrected: 0 })
    expect(await usage()).toEqual(before)
    expect(await insights.metric('usage_differing_total')).toBe(counted + 2)
  })

  it('corrects figures that are too high, too low, missing, or without any event', async () => {
    await someTasks()
    const right = await usage()
    await sql`update usage_period set consumed = consumed + 7 where user_id = 'ann'`.execute(insights.db)
    await sql`delete from usage_period where user_id = 'joe' and starts_at = (select max(starts_at) from usage_period where user_id = 'joe')`.execute(
      insights.db,
    )
    await sql`update usage_day set consumed = 1 where user_id = 'ann'`.execute(insights.db)
    await sql`
      insert into usage_period (app_key, user_id, starts_at, ends_at, consumed)
      values (${workspace.appKey}, 'ann', ${daysAgo(30)}, ${daysAgo(20)}, 3)`.execute(insights.db)
    const corrected = await insights.metric('usage_corrected_total')
    expect(await rebuild()).toMatchObject({ differing: 4, corrected: 4 })
    expect(await insights.metric('usage_corrected_total')).toBe(corrected + 4)
    expect(await rebuild()).toMatchObject({ differing: 0, corrected: 0 })
    const now = await usage()
    expect(now.periods.filter(({ consumed }) => consumed !== '0')).toEqual(right.periods)
    expect(now.days).toEqual(right.days)
  })

  it('corrects the end of a period, although pending limit changes find two current periods', async () => {
    await insights.admin
      .put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period: 7, on_limit: 'block' })
      .expect(200)
    await sql`update application set limit_periods = '[{"days": 7, "from": null}]' where app_key = ${workspace.appKey}`.execute(insights.db)
    await insights.consume([...workspace.tasks('joe', 2, daysAgo(8)), ...workspace.tasks('joe', 3)])
    const right = await usage()
    await sql`update usage_period set ends_at = starts_at + interval '30 days' where consumed = 2`.execute(insights.db)
    await workspace.setAll(0).expect(200)
    expect(await rebuild({ dry_run: true })).toMatchObject({ differing: 1, corrected: 0 })
    expect(await rebuild()).toMatchObject({ differing: 1, corrected: 1 })
    expect((await usage()).periods.map(({ ends_at }) => ends_at)).toEqual(right.periods.map(({ ends_at }) => ends_at))
    expect((await workspace.list().expect(200)).body).toMatchObject([{ user_id: 'joe', current_limit: 0, tasks_consumed: 3 }])
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 1 }]).expect(200)
    expect(await rebuild()).toMatchObject({ differing: 0, corrected: 0 })
  })

  it('announces a level that the correction reaches, and lets a level that it no longer reaches be reached again', async () => {
    await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: 'http://127.0.0.1:9/' }).expect(200)
    await workspace
      .setLimits([
        { user_id: 'joe', allowed_tasks: 5 },
        { user_id: 'ann', allowed_tasks: 5 },
      ])
      .expect(200)
    const announced = async () =>
      (await insights.db.selectFrom('delivery').select(['user_id', 'times_lowered']).orderBy('id').execute()).map(Object.values)
    await insights.consume([...workspace.tasks('joe', 4), ...workspace.tasks('ann', 5)])
    expect(await announced()).toEqual([['ann', 0]])
    await insights.db
      .deleteFrom('task_event')
      .where('user_id', '=', 'ann')
      .where('id', 'in', (query) => query.selectFrom('task_event').select('id').where('user_id', '=', 'ann').limit(2))
      .execute()
    const more = workspace.tasks('joe', 1)[0]
    await sql`
      insert into task_event (id, app_key, user_id, function_name, occurred_at)
      values (${more?.id}, ${workspace.appKey}, 'joe', 'f', ${more?.occurred_at})`.execute(insights.db)
    expect(await rebuild()).toMatchObject({ differing: 4, corrected: 4 })
    expect(await announced()).toEqual([
      ['ann', 0],
      ['joe', 0],
    ])
    await insights.consume(workspace.tasks('ann', 2))
    expect(await announced()).toEqual([
      ['ann', 0],
      ['joe', 0],
      ['ann', 1],
    ])
  })

  it('does not change periods and days whose events may be deleted', async () => {
    await someTasks()
    await sql`update usage_period set consumed = 1000`.execute(insights.db)
    await sql`update usage_day set consumed = 1000`.execute(insights.db)
    await sql`update event_retention set kept_since = now() - interval '11 days'`.execute(insights.db)
    const rebuilt = await rebuild()
    const young = (await usage()).days.filter(({ day }) => new Date(day) > daysAgo(11)).length
    // Joe's second period and Ann's only one.
    expect(rebuilt).toMatchObject({ periods: 2, days: young, corrected: 2 + young })
    const { periods } = await usage()
    expect(periods.map(({ user_id, consumed }) => [user_id, consumed])).toEqual([
      ['ann', '5'],
      ['joe', '1000'],
      ['joe', '1000'],
      ['joe', '4'],
    ])
  })

  it('corrects the end of a period whose events may be deleted, but not what was consumed', async () => {
    await insights.consume(workspace.tasks('joe', 2, daysAgo(8)))
    const { periods } = await usage()
    await sql`update usage_period set ends_at = ends_at + interval '5 days'`.execute(insights.db)
    await sql`truncate task_event`.execute(insights.db)
    await sql`update event_retention set kept_since = now() - interval '1 day'`.execute(insights.db)
    expect(await rebuild()).toMatchObject({ periods: 0, differing: 1, corrected: 1 })
    expect((await usage()).periods).toEqual(periods)
  })

  it('handles only the given application', async () => {
    const other = await insights.workspace()
    await insights.consume([...workspace.tasks('joe', 1), ...other.tasks('joe', 1)])
    await sql`update usage_period set consumed = 9`.execute(insights.db)
    expect(await rebuild({ app_key: other.appKey })).toMatchObject({ users: 1, corrected: 1 })
    expect((await workspace.status('joe')).body.tasks_consumed).toBe(9)
  })

  it('finds no difference while tasks are counted', async () => {
    const users = Array.from({ length: 20 }, (_, i) => `user-${i}`)
    let counting = true
    let looks = 0
    const counted = Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 15 || (i < 500 && looks < 3); i++) await insights.consume(users.map((user) => task(workspace.appKey, user)))
      }),
    ).finally(() => {
      counting = false
    })
    while (counting) {
      expect(await rebuild()).toMatchObject({ differing: 0, corrected: 0 })
      looks++
    }
    await counted
    expect(looks).toBeGreaterThan(2)
  })

  it('handles users in pages', async () => {
    await sql`
      insert into usage_user (app_key, user_id, limit_seq, anchor) select ${workspace.appKey}, 'user-' || n, 0, now() from generate_series(1, 5001) n`.execute(
      insights.db,
    )
    await sql`
      insert into usage_period (app_key, user_id, starts_at, ends_at, consumed)
      select app_key, user_id, anchor, anchor + interval '10 days', 1 from usage_user`.execute(insights.db)
    const first = await rebuild()
    expect(first).toMatchObject({ users: 5_000, periods: 5_000, corrected: 5_000, _cursor: expect.any(String) })
    expect(await rebuild({ _cursor: first._cursor })).toMatchObject({ users: 1, corrected: 1, _cursor: null })
  })

  it.each([[{ _cursor: 'nonsense' }], [{ dry_run: 1 }], [{ app_key: '' }]])('refuses %j', async (body) => {
    await insights.admin.post('/admin/usage/rebuild', body).expect(400)
  })
})

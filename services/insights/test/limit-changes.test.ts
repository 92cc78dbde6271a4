import { sql } from 'kysely'
import { daysAgo, NO_BACKGROUND, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

describe('bulk limits that the background work has not applied yet', () => {
  const insights = useInsights({ env: NO_BACKGROUND })

  async function workspaceAtLimit(): Promise<Workspace> {
    const workspace = await insights.workspace()
    await workspace.setDefault(10).expect(200)
    await workspace.subscribe({ events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: insights.url }).expect(200)
    await insights.consume(workspace.tasks('joe', 10))
    return workspace
  }

  /** Creates a workspace with a pending bulk limit of 10. joe has consumed 10 tasks, ann 9. */
  async function workspaceWithChange(): Promise<Workspace> {
    const workspace = await workspaceAtLimit()
    await insights.consume(workspace.tasks('ann', 9))
    await insights.db.deleteFrom('delivery').execute()
    await workspace.setAll(100).expect(200)
    await insights.applyLimitChanges()
    await workspace.setAll(10).expect(200)
    return workspace
  }

  async function announced(workspace: Workspace): Promise<[number | null, number, number][]> {
    const rows = await insights.db
      .selectFrom('delivery')
      .selectAll()
      .where('app_key', '=', workspace.appKey)
      .orderBy('times_lowered')
      .orderBy('level')
      .orderBy('user_id')
      .orderBy('id')
      .execute()
    return rows.map((row) => {
      const { tasks_consumed, current_limit } = JSON.parse(row.payload)
      return [row.level, tasks_consumed, current_limit]
    })
  }

  it('are applied one by one to a user who is counted, with what was consumed before', async () => {
    const workspace = await workspaceAtLimit()
    await workspace.setAll(20).expect(200)
    await workspace.setAll(11).expect(200)
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([
      [80, 8, 10],
      [100, 10, 10],
      [80, 10, 11],
      [100, 11, 11],
    ])
  })

  it('are applied one by one to a user whose own limit is set', async () => {
    const workspace = await workspaceAtLimit()
    await workspace.setAll(20).expect(200)
    await workspace.setAll(12).expect(200)
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 1_000 }]).expect(200)
    expect(await announced(workspace)).toEqual([
      [80, 8, 10],
      [100, 10, 10],
      [80, 10, 12],
    ])
    expect((await workspace.status('joe')).body.current_limit).toBe(1_000)
  })

  it('are applied to users of an application after its late provisioning', async () => {
    const workspace = await workspaceAtLimit()
    const appKey = `${workspace.appKey}-late`
    await insights.consume(workspace.tasks('ann', 9).map((event) => ({ ...event, app_key: appKey })))
    await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: workspace.id }).expect(200)
    await workspace.setAll(100).expect(200)
    await insights.consume(workspace.tasks('ann', 1).map((event) => ({ ...event, app_key: appKey })))
    const rows = await insights.db.selectFrom('delivery').select(['level', 'payload']).where('app_key', '=', appKey).execute()
    expect(rows.map(({ level, payload }) => [level, JSON.parse(payload).tasks_consumed, JSON.parse(payload).current_limit])).toEqual([
      [80, 9, 10],
    ])
  })

  it('announce levels of the period in which they were set, even after it has ended', async () => {
    const workspace = await workspaceWithChange()
    // All times move into the past, so that the periods ended a second ago.
    const over = sql`interval '720 hours 1 second'`
    await sql`update usage_user set anchor = anchor - ${over} where app_key = ${workspace.appKey}`.execute(insights.db)
    await sql`update usage_period set starts_at = starts_at - ${over}, ends_at = ends_at - ${over} where app_key = ${workspace.appKey}`.execute(
      insights.db,
    )
    await sql`update limit_change set created_at = created_at - ${over} where workspace_id = ${workspace.id}`.execute(insights.db)
    await insights.applyLimitChanges()
    const before = await announced(workspace)
    expect(new Set(before.map(String))).toEqual(new Set(['80,9,10', '80,10,10', '100,10,10']))
    await insights.consume([...workspace.tasks('ann', 1), ...workspace.tasks('joe', 1)])
    await insights.applyLimitChanges()
    expect(await announced(workspace)).toEqual(before)
  })

  it('are not announced to a subscription that was created later', async () => {
    const workspace = await workspaceWithChange()
    const { body } = await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)
    await insights.applyLimitChanges()
    const rows = await insights.db
      .selectFrom('delivery')
      .select(['subscription_id', 'user_id'])
      .where('app_key', '=', workspace.appKey)
      .execute()
    expect(new Set(rows.map((row) => row.user_id))).toEqual(new Set(['ann', 'joe']))
    expect(rows.map((row) => row.subscription_id)).not.toContain(body.subscription_id)
  })

  it.each<[string, (workspace: Workspace) => Promise<unknown>]>([
    ['of all users', async (workspace) => await workspace.setAll(10).expect(200)],
    ['of one user', async (workspace) => await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 10 }]).expect(200)],
  ])('announce levels of a future period, as a limit %s', async (_whose, lower) => {
    const workspace = await insights.workspace()
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)
    // The second period begins in a minute. Its tasks come from a clock that is ahead.
    await insights.consume(workspace.tasks('joe', 1, new Date(+daysAgo(30) + 60_000)))
    await insights.consume(workspace.tasks('joe', 9, new Date(Date.now() + 3 * 60_000)))
    await lower(workspace)
    await insights.applyLimitChanges()
    expect(await announced(workspace)).toEqual([[80, 9, 10]])
  })

  it('are applied to future periods before these get another length', async () => {
    const workspace = await insights.workspace()
    await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: insights.url }).expect(200)
    await insights.consume(workspace.tasks('joe', 2, new Date(Date.now() + 3 * 60_000)))
    await workspace.setAll(2).expect(200)
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period: 1 }).expect(200)
    const rows = await insights.db.selectFrom('delivery').select('payload').where('app_key', '=', workspace.appKey).execute()
    expect(rows.map(({ payload }) => JSON.parse(payload).limit_period)).toEqual(['30'])
    expect((await workspace.status('joe')).body.limit_period).toBe('1')
  })
})

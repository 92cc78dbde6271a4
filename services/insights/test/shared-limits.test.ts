import { task } from './insights.ts'
import { useLevels } from './use-insights.ts'

const { insights, announced, byUser, workspaceWithLimit } = useLevels()

describe('a bulk limit', () => {
  it('announces levels soon after it is lowered past them', async () => {
    const workspace = await workspaceWithLimit(100)
    await insights.consume([...workspace.tasks('joe', 10), ...workspace.tasks('ann', 9), ...workspace.tasks('bob', 2)])
    await workspace.setAll(10).expect(200)
    await insights.limitChangesApplied()
    expect(byUser(await announced(workspace))).toEqual([
      ['ann', 80, 9, 10],
      ['joe', 80, 10, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('lets levels be reached again when it is raised', async () => {
    const workspace = await workspaceWithLimit(10, ['user_tasks_limit_100'])
    await insights.consume(workspace.tasks('joe', 10))
    await workspace.setAll(20).expect(200)
    await insights.consume(workspace.tasks('joe', 10))
    await insights.limitChangesApplied()
    expect(await announced(workspace)).toEqual([
      ['joe', 100, 10, 10],
      ['joe', 100, 20, 20],
    ])
  })

  it('is applied to more users than one page holds', async () => {
    const workspace = await workspaceWithLimit(100, ['user_tasks_limit_100'])
    for (const part of [0, 1, 2]) {
      await insights.consume(Array.from({ length: 450 }, (_, i) => task(workspace.appKey, `user-${part}-${i}`)))
    }
    await workspace.setAll(1).expect(200)
    await insights.limitChangesApplied()
    expect(await announced(workspace)).toHaveLength(1_350)
  })

  it('is applied after a restart', async () => {
    const workspace = await workspaceWithLimit(100, ['user_tasks_limit_100'])
    await insights.consume(workspace.tasks('joe', 3))
    await insights.stop()
    await insights.db.updateTable('workspace').set({ bulk_limit: 3, bulk_seq: 9, limit_seq: 9 }).where('id', '=', workspace.id).execute()
    await insights.db.insertInto('limit_change').values({ workspace_id: workspace.id, task_limit: 3, limit_seq: 9 }).execute()
    await insights.restart()
    await insights.limitChangesApplied()
    expect(await announced(workspace)).toEqual([['joe', 100, 3, 3]])
  })
})

describe('counting and limit changes at the same time', () => {
  it('wait for each other and use the newest limit after waiting', async () => {
    const workspace = await workspaceWithLimit(100)
    await insights.consume(workspace.tasks('joe', 7))
    let consumed: Promise<void> | undefined
    let lowered: Promise<unknown> | undefined
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 2, () => {
      consumed = insights.consume(workspace.tasks('joe', 1))
      lowered = workspace
        .setLimits([{ user_id: 'joe', allowed_tasks: 10 }])
        .expect(200)
        .then()
    })
    await Promise.all([consumed, lowered])
    expect(await announced(workspace)).toEqual([['joe', 80, 8, 10]])
  })

  it('apply a bulk limit to a user whose first task is being counted', async () => {
    const workspace = await workspaceWithLimit(100, ['user_tasks_limit_100'])
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 100 }]).expect(200)
    let consumed: Promise<void> | undefined
    let lowered: Promise<unknown> | undefined
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 2, () => {
      consumed = insights.consume(workspace.tasks('joe', 3))
      lowered = workspace.setAll(3).expect(200).then()
    })
    await Promise.all([consumed, lowered])
    await insights.limitChangesApplied()
    expect(await announced(workspace)).toEqual([['joe', 100, 3, 3]])
  })

  it('miss no level and announce none twice', async () => {
    const workspace = await workspaceWithLimit(1_000_000)
    const users = Array.from({ length: 10 }, (_, i) => `user-${i}`)
    const consuming = Array.from({ length: 20 }, async () => {
      await insights.consume(users.flatMap((user) => workspace.tasks(user, 2)))
    })
    const setting = [50, 48, 45].map(async (allowed_tasks) => {
      await workspace.setLimits(users.map((user_id) => ({ user_id, allowed_tasks }))).expect(200)
    })
    await Promise.all([...consuming, ...setting, workspace.setAll(41).expect(200), workspace.setAll(42).expect(200)])
    await insights.limitChangesApplied()
    // 40 tasks are at least 80 % of any of these limits. The newest limit decides which levels were reached.
    const { body } = await workspace.list().expect(200)
    for (const status of body as { user_id: string; current_limit: number; tasks_consumed: number }[]) {
      expect(status.tasks_consumed).toBe(40)
      const mark = await insights.db
        .selectFrom('usage_period')
        .select(['level', 'times_lowered'])
        .where('app_key', '=', workspace.appKey)
        .where('user_id', '=', status.user_id)
        .executeTakeFirstOrThrow()
      expect(mark.level).toBe(Math.min(100, Math.floor((40 * 100) / status.current_limit)))
      const heard = (await announced(workspace)).filter(([user]) => user === status.user_id)
      expect(heard.filter(([, level]) => level === 80).length).toBeGreaterThan(0)
    }
    const keys = await insights.db
      .selectFrom('delivery')
      .select(['user_id', 'level', 'times_lowered'])
      .where('app_key', '=', workspace.appKey)
      .execute()
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length)
  })
})

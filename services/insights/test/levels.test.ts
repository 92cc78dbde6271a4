import { daysAgo, type Workspace } from './insights.ts'
import { useLevels } from './use-insights.ts'

const { insights, subscribe, announced, byUser, workspaceWithLimit } = useLevels()

describe('a level', () => {
  it('is announced once when consumption reaches it, with the figures of that moment', async () => {
    const workspace = await workspaceWithLimit(10)
    await insights.consume(workspace.tasks('joe', 7))
    expect(await announced(workspace)).toEqual([])
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([['joe', 80, 8, 10]])
    await insights.consume(workspace.tasks('joe', 1))
    await insights.consume(workspace.tasks('joe', 1))
    await insights.consume(workspace.tasks('joe', 3))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('is announced with the body of the specification', async () => {
    const workspace = await workspaceWithLimit(10)
    await insights.consume(workspace.tasks('joe@example.com', 9))
    const { payload } = await insights.db
      .selectFrom('delivery')
      .select('payload')
      .where('app_key', '=', workspace.appKey)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(payload)).toEqual({
      user_id: 'joe@example.com',
      current_limit: 10,
      limit_period: '30',
      tasks_consumed: 8,
      tasks_remaining: 2,
      tasks_consumed_percent: 80,
      tasks_remaining_percent: 20,
      limit_reset_after: 30,
    })
  })

  it('is announced with the figures of the moment at which it was reached, however many tasks are counted at once', async () => {
    const workspace = await workspaceWithLimit(10)
    await insights.consume(workspace.tasks('joe', 11))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('is announced at the first task with limit 0, together with all other levels', async () => {
    const workspace = await workspaceWithLimit(0, ['user_tasks_limit_1', 'user_tasks_limit_100'])
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([
      ['joe', 1, 1, 0],
      ['joe', 100, 1, 0],
    ])
  })

  it('is announced for each user and to each subscription to it', async () => {
    const workspace = await workspaceWithLimit(2, ['user_tasks_limit_50'])
    await subscribe(workspace, ['user_tasks_limit_50', 'user_tasks_limit_51'])
    await insights.consume([...workspace.tasks('joe', 1), ...workspace.tasks('ann', 1)])
    expect(byUser((await announced(workspace)).map(([user, level]) => [user, level]))).toEqual([
      ['ann', 50],
      ['ann', 50],
      ['joe', 50],
      ['joe', 50],
    ])
  })

  it('is not announced to a subscription that was created later', async () => {
    const workspace = await insights.workspace()
    await workspace.setDefault(10)
    await insights.consume(workspace.tasks('joe', 9))
    await subscribe(workspace)
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([['joe', 100, 10, 10]])
  })

  it('is announced again in the next period', async () => {
    const workspace = await workspaceWithLimit(10, ['user_tasks_limit_80'])
    await insights.consume(workspace.tasks('joe', 8, daysAgo(31)))
    await insights.consume(workspace.tasks('joe', 9))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 80, 8, 10],
    ])
  })

  it('is announced with the figures of its own period when a late task reaches it', async () => {
    const workspace = await workspaceWithLimit(10, ['user_tasks_limit_80'])
    await insights.consume(workspace.tasks('joe', 7, daysAgo(31)))
    await insights.consume(workspace.tasks('joe', 2))
    await insights.consume(workspace.tasks('joe', 1, daysAgo(30.9)))
    expect(await announced(workspace)).toEqual([['joe', 80, 8, 10]])
    const { payload } = await insights.db
      .selectFrom('delivery')
      .select('payload')
      .where('app_key', '=', workspace.appKey)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(payload).limit_reset_after).toBe(0)
  })
})

describe('the own limit of a user', () => {
  const set = async (workspace: Workspace, allowed_tasks: number) =>
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks }]).expect(200)

  it('announces a level at once when it is lowered past it', async () => {
    const workspace = await workspaceWithLimit(100)
    await insights.consume(workspace.tasks('joe', 10))
    await set(workspace, 12)
    expect(await announced(workspace)).toEqual([['joe', 80, 10, 12]])
    await set(workspace, 10)
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 10, 12],
      ['joe', 100, 10, 10],
    ])
  })

  it('announces levels of an ended period with the late task that comes after it was lowered', async () => {
    const workspace = await workspaceWithLimit(10)
    await insights.consume(workspace.tasks('joe', 3, daysAgo(31)))
    await insights.consume(workspace.tasks('joe', 1))
    await set(workspace, 2)
    await insights.consume(workspace.tasks('joe', 2, daysAgo(30.9)))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 4, 2],
      ['joe', 100, 4, 2],
    ])
  })

  it('lets levels be reached again when it is raised above them', async () => {
    const workspace = await workspaceWithLimit(10)
    await insights.consume(workspace.tasks('joe', 10))
    await set(workspace, 20)
    await insights.consume(workspace.tasks('joe', 6))
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
      ['joe', 80, 16, 20],
    ])
  })

  it('announces nothing when it is raised and the user stays above a level', async () => {
    const workspace = await workspaceWithLimit(10, ['user_tasks_limit_80', 'user_tasks_limit_90'])
    await insights.consume(workspace.tasks('joe', 10))
    await set(workspace, 11)
    await insights.consume(workspace.tasks('joe', 1))
    await set(workspace, 12)
    await insights.consume(workspace.tasks('joe', 1))
    expect(await announced(workspace)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 90, 9, 10],
    ])
  })

  it('announces nothing before the first task when it is 0', async () => {
    const workspace = await workspaceWithLimit(10)
    await set(workspace, 0)
    expect(await announced(workspace)).toEqual([])
    await insights.consume(workspace.tasks('joe', 1))
    expect((await announced(workspace)).map(([, level]) => level)).toEqual([80, 100])
  })

  it('announces nothing about an ended period', async () => {
    const workspace = await workspaceWithLimit(100)
    await insights.consume(workspace.tasks('joe', 10, daysAgo(31)))
    await set(workspace, 5)
    expect(await announced(workspace)).toEqual([])
  })
})

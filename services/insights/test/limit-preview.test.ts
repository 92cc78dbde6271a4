import { uuidv7 } from '@onward/runtime'
import { daysAgo, NO_BACKGROUND, task } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

// Tests apply limit changes themselves, so that some are still pending during a preview.
const insights = useInsights({ env: NO_BACKGROUND })
const workspace = useWorkspace(insights)

type Preview = { users: number; new_users: number; changed: number; unchanged: number; over_now: number; notices: number; capped: boolean }
type Item = { user_id: string; allowed_tasks: number }

const preview = (body: object) => insights.admin.post(`/admin/workspaces/${workspace.id}/limit-preview`, body)
const previewed = async (body: object): Promise<Preview> => {
  const { as_of, current, ...rest } = (await preview(body).expect(200)).body
  expect(as_of).toEqual(expect.any(String))
  return rest
}
const subscribe = (...events: string[]) => workspace.subscribe({ events, callback_url: 'http://127.0.0.1:9/' }).expect(200)

/** The limit of each user of the workspace's application, and how many users have reached theirs. */
async function limits(): Promise<{ byUser: Map<string, number>; reached: number }> {
  const { body } = await workspace.list().expect(200)
  const users: { user_id: string; current_limit: number; tasks_remaining: number }[] = body
  return {
    byUser: new Map(users.map((user) => [user.user_id, user.current_limit])),
    reached: users.filter((user) => user.tasks_remaining === 0).length,
  }
}

async function countDeliveries(): Promise<number> {
  const rows = await insights.db.selectFrom('delivery').select('id').where('app_key', '=', workspace.appKey).execute()
  return rows.length
}

/** Does the previewed change, and returns what it did in the form of a preview. `users` get the limit. */
async function done(change: () => Promise<unknown>, users: (before: Map<string, number>) => readonly string[]): Promise<Preview> {
  const [before, deliveries] = [await limits(), await countDeliveries()]
  await change()
  await insights.applyLimitChanges()
  const after = await limits()
  const affected = users(before.byUser)
  const known = affected.filter((user) => before.byUser.has(user))
  const changed = known.filter((user) => before.byUser.get(user) !== after.byUser.get(user))
  return {
    users: affected.length,
    new_users: affected.length - known.length,
    changed: changed.length,
    unchanged: known.length - changed.length,
    over_now: (await reachedAmong(affected)).length,
    notices: (await countDeliveries()) - deliveries,
    capped: false,
  }
}

async function reachedAmong(users: readonly string[]): Promise<string[]> {
  const { body } = await workspace.list().expect(200)
  const reached = body.filter((user: { tasks_remaining: number }) => user.tasks_remaining === 0)
  return reached.map((user: { user_id: string }) => user.user_id).filter((user: string) => users.includes(user))
}

/** Users with 0 to 9 tasks and their own limits, and subscriptions to three levels. */
async function fill(): Promise<void> {
  await workspace.setDefault(10).expect(200)
  await subscribe('user_tasks_limit_50', 'user_tasks_limit_100')
  await subscribe('user_tasks_limit_80', 'user_tasks_limit_100')
  const { body: disabled } = await subscribe('user_tasks_limit_90')
  await insights.db.updateTable('subscription').set({ disabled_at: new Date() }).where('id', '=', disabled.subscription_id).execute()
  await insights.consume(Array.from({ length: 10 }, (_, n) => workspace.tasks(`user-${n}`, n)).flat())
  await workspace.setLimits([
    { user_id: 'user-5', allowed_tasks: 5 },
    { user_id: 'user-6', allowed_tasks: 100 },
    { user_id: 'idle', allowed_tasks: 0 },
  ])
  // The clock of functions is ahead: it is already in the next period of this user, which begins in three minutes.
  await insights.consume(workspace.tasks('ahead', 2, new Date(+daysAgo(30) + 180_000)))
  await insights.consume(workspace.tasks('ahead', 6, new Date(Date.now() + 240_000)))
  await insights.applyLimitChanges()
}

describe('a preview of a limit for all users', () => {
  it.each([0, 5, 9, 10, 1_000])('equals what setting %i then does', async (limit) => {
    await fill()
    const other = await insights.workspace()
    await insights.consume(other.tasks('joe', 3))
    const expected = await previewed({ tasks_limit: limit })
    expect(expected.users).toBe(11)
    expect(
      await done(
        async () => await workspace.setAll(limit).expect(200),
        (before) => [...before.keys()],
      ),
    ).toEqual(expected)
  })

  it('equals it while other limit changes are pending', async () => {
    await fill()
    // The first lowers the levels of all users, so that the change announces them again.
    await workspace.setAll(1_000).expect(200)
    await workspace.setAll(20).expect(200)
    const expected = await previewed({ tasks_limit: 9 })
    await insights.applyLimitChanges()
    expect(await previewed({ tasks_limit: 9 })).toEqual(expected)
    expect(
      await done(
        async () => await workspace.setAll(9).expect(200),
        (before) => [...before.keys()],
      ),
    ).toEqual(expected)
  })

  it('counts the users of one application, and none of other workspaces', async () => {
    await fill()
    const appKey = `second-${workspace.appKey}`
    await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: workspace.id }).expect(200)
    await insights.consume([task(appKey, 'joe'), task(appKey, 'ann')])
    expect(await previewed({ tasks_limit: 1, app_key: appKey })).toMatchObject({ users: 2, changed: 2, over_now: 2 })
    expect((await previewed({ tasks_limit: 1 })).users).toBe(13)
  })
})

describe('a preview of limits of single users', () => {
  it('equals what setting them then does', async () => {
    await fill()
    const users: Item[] = [
      ...Array.from({ length: 10 }, (_, n) => ({ user_id: `user-${n}`, allowed_tasks: n === 3 ? 10 : 8 })),
      { user_id: 'new', allowed_tasks: 5 },
      { user_id: 'new and blocked', allowed_tasks: 0 },
    ]
    const expected = await previewed({ app_key: workspace.appKey, users })
    expect(expected).toMatchObject({ users: 12, new_users: 3 })
    const set = async () => await workspace.setLimits(users).expect(200)
    expect(await done(set, () => users.map((user) => user.user_id))).toEqual(expected)
  })

  it('returns the present limit of each user in the order of the request, and none for a new user', async () => {
    await fill()
    await workspace.setAll(20).expect(200)
    await workspace.setLimits([{ user_id: 'user-1', allowed_tasks: 7 }]).expect(200)
    const users = ['user-1', 'new', 'user-2', 'idle'].map((user_id) => ({ user_id, allowed_tasks: 1 }))
    expect((await preview({ app_key: workspace.appKey, users }).expect(200)).body.current).toEqual([
      { is_new: false, limit: 7 },
      { is_new: true, limit: null },
      { is_new: false, limit: 20 },
      { is_new: false, limit: 20 },
    ])
    expect((await preview({ tasks_limit: 1 }).expect(200)).body.current).toEqual([])
  })

  it('changes nothing', async () => {
    await fill()
    const before = await limits()
    await previewed({ app_key: workspace.appKey, users: [{ user_id: 'new', allowed_tasks: 1 }] })
    await previewed({ tasks_limit: 1 })
    expect(await limits()).toEqual(before)
  })
})

describe('a preview', () => {
  const item = { user_id: 'joe', allowed_tasks: 1 }

  it.each<[string, object | (() => object), string]>([
    ['nothing', {}, 'body: must have either tasks_limit or users'],
    ['both', () => ({ app_key: workspace.appKey, tasks_limit: 1, users: [item] }), 'body: must have either tasks_limit or users'],
    ['users without an application', { users: [item] }, 'app_key: is required'],
    ['a user twice', () => ({ app_key: workspace.appKey, users: [item, item] }), 'users[1].user_id: is the same as users[0].user_id'],
    ['a negative limit', { tasks_limit: -1 }, 'tasks_limit: must be a whole number, 0 or more'],
  ])('refuses %s', async (_what, body, problem) => {
    const { body: response } = await preview(typeof body === 'function' ? body() : body).expect(400)
    expect(response.error_details).toEqual([problem])
  })

  it('refuses an unknown workspace, and an application of another workspace', async () => {
    const other = await insights.workspace()
    expect((await preview({ app_key: other.appKey, tasks_limit: 1 }).expect(404)).body.code).toBe('application_not_found')
    const { body } = await insights.admin.post(`/admin/workspaces/${uuidv7()}/limit-preview`, { tasks_limit: 1 }).expect(404)
    expect(body.code).toBe('workspace_not_found')
  })
})

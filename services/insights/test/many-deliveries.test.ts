import { sql } from 'kysely'
import { usersPerTransaction } from '../src/usage/apply-limit-changes.ts'
import { NO_BACKGROUND, task, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights({ env: NO_BACKGROUND })
beforeAll(async () => {
  await sql`
    create function look_at_size() returns trigger language plpgsql as
    'begin if (select count(*) from made) > 2000 then raise ''a statement inserts too much''; end if; return null; end'`.execute(
    insights.db,
  )
  await sql`
    create trigger look_at_size after insert on delivery referencing new table as made
    for each statement execute function look_at_size()`.execute(insights.db)
})
// The next test starts without pending deliveries.
afterEach(async () => void (await sql`truncate delivery, delivery_attempt`.execute(insights.db)))

/** These users make 21,000 deliveries when they pass all levels: more than one transaction may make. */
const USERS = Array.from({ length: 210 }, (_, i) => `user-${i}`)
const LEVELS = Array.from({ length: 100 }, (_, i) => `user_tasks_limit_${i + 1}`)
const DELIVERIES = USERS.length * LEVELS.length

/** No server listens here: the tests look at stored deliveries. */
const URL = 'http://127.0.0.1:9/'

/** Creates a workspace with a subscription to each half of the levels. */
async function workspaceWithLimit(limit: number): Promise<Workspace> {
  const workspace = await insights.workspace()
  await workspace.setDefault(limit).expect(200)
  for (const events of [LEVELS.slice(0, 50), LEVELS.slice(50)]) {
    await workspace.subscribe({ events, callback_url: URL }).expect(200)
  }
  return workspace
}
const tasksOf = ({ appKey }: Workspace) => USERS.map((user) => task(appKey, user))

/** Returns the number of deliveries, of different users and levels, and of the transactions that made them. */
async function stored({ appKey }: Workspace) {
  const { rows } = await sql<{ all: number; different: number; made: number }>`
    select count(*)::int as all, count(distinct (user_id, level))::int as different, count(distinct created_at)::int as made
    from delivery where app_key = ${appKey}`.execute(insights.db)
  return rows[0]
}

describe('a burst of users who all pass all levels', () => {
  it('is counted with all deliveries, together with tasks of another workspace', async () => {
    const workspace = await workspaceWithLimit(0)
    const other = await insights.workspace()
    await insights.consume([...tasksOf(workspace), ...other.tasks('joe', 1)], 50_000)
    expect((await other.status('joe')).body.tasks_consumed).toBe(1)
    const { body } = await workspace.list().expect(200)
    expect(body.map((each: { tasks_consumed: number }) => each.tasks_consumed)).toEqual(USERS.map(() => 1))
    expect(await stored(workspace)).toEqual({ all: DELIVERIES, different: DELIVERIES, made: 1 })
  })

  it('is counted in two transactions when it makes more than 100,000 deliveries, together with pending limit changes', async () => {
    const workspace = await workspaceWithLimit(1_000)
    for (let i = 0; i < 2; i++) await workspace.subscribe({ events: LEVELS.slice(i * 50, i * 50 + 50), callback_url: URL }).expect(200)
    const users = Array.from({ length: 400 }, (_, i) => `user-${i}`)
    await insights.consume(users.slice(0, 200).map((user) => task(workspace.appKey, user)))
    // The first 200 users reach all levels twice, the others once. Each time, four subscriptions get 50 deliveries for a user.
    for (const limit of [1, 1_000, 1]) await workspace.setAll(limit).expect(200)
    await workspace.setDefault(1).expect(200)
    await insights.consume(
      users.map((user) => task(workspace.appKey, user)),
      100_000,
    )
    expect(await stored(workspace)).toEqual({ all: 120_000, different: 40_000, made: 2 })
  })
})

describe('a limit that takes many users past all levels', () => {
  const limitsOf = (users: readonly string[], allowed_tasks: number) => users.map((user_id) => ({ user_id, allowed_tasks }))

  it('is applied to few users in a transaction when it is a bulk limit', async () => {
    const workspace = await workspaceWithLimit(1_000)
    await insights.consume(tasksOf(workspace))
    await workspace.setAll(1).expect(200)
    await workspace.setLimits(limitsOf(['user-0'], 5)).expect(200)
    expect(await stored(workspace)).toEqual({ all: LEVELS.length, different: LEVELS.length, made: 1 })
    await insights.applyLimitChanges()
    expect(await stored(workspace)).toEqual({ all: DELIVERIES, different: DELIVERIES, made: 4 })
    await workspace.setLimits(limitsOf(USERS, 5)).expect(200)
  })

  it('applies at once and is announced in the background when it is set for many users', async () => {
    const workspace = await workspaceWithLimit(1_000)
    await insights.consume(tasksOf(workspace))
    await workspace.setLimits(limitsOf(USERS, 1)).expect(200)
    const { body } = await workspace.list().expect(200)
    expect(body.map((each: { current_limit: number }) => each.current_limit)).toEqual(USERS.map(() => 1))
    expect(await stored(workspace)).toEqual({ all: 0, different: 0, made: 0 })
    await insights.applyLimitChanges()
    // Two limit changes are pending, as the new application is one: 20,000 / (100 events × 2) = 100 users in a transaction.
    expect(await stored(workspace)).toEqual({ all: DELIVERIES, different: DELIVERIES, made: 3 })
  })

  it('is not announced to a subscription that was created or enabled later', async () => {
    const workspace = await workspaceWithLimit(1_000)
    const paused = (await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)).body
    await sql`update subscription set disabled_at = now() where id = ${paused.subscription_id}`.execute(insights.db)
    await insights.consume(tasksOf(workspace))
    await workspace.setLimits(limitsOf(USERS, 1)).expect(200)
    await workspace.send('post', `/partners/api/insights/subscriptions/${paused.subscription_id}/enable/`).expect(200)
    await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)
    await insights.applyLimitChanges()
    expect(await stored(workspace)).toMatchObject({ all: DELIVERIES, different: DELIVERIES })
  })
})

describe('the number of users that one transaction checks', () => {
  it.each([
    { events: 0, limitChanges: 3, users: 500 },
    { events: 2, limitChanges: 1, users: 500 },
    { events: 200, limitChanges: 1, users: 100 },
    { events: 3, limitChanges: 40, users: 166 },
    { events: 200, limitChanges: 100, users: 1 },
  ])('is $users with $events subscription events and $limitChanges limit changes', ({ events, limitChanges, users }) => {
    expect(usersPerTransaction(events, limitChanges)).toBe(users)
    expect(users * events * limitChanges).toBeLessThanOrEqual(20_000)
  })
})

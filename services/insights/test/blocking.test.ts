import { BLOCKING_QUEUE, type BlockingJob } from '@onward/contract'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { shareApplications } from '../src/db/applications.ts'
import { insertUsers } from '../src/db/users.ts'
import { shareWorkspaces } from '../src/db/workspaces.ts'
import { daysAgo } from './insights.ts'
import { useBlocking } from './use-insights.ts'

const DAY = 86_400_000

const blocking = useBlocking()
const { insights, workspace, onLimit, setLimit, messagesOf, published } = blocking

/** Waits until no limit change is pending and all messages have arrived: a marker is the last of them. */
async function quiet(): Promise<void> {
  await insights.limitChangesApplied()
  const expected = messagesOf('marker').length + 1
  const marker = { app_key: workspace.appKey, user_id: 'marker', seq: expected, blocked_until: null }
  await blocking.queues.queue<BlockingJob>(BLOCKING_QUEUE).add({ data: { states: [marker] } })
  await eventually(() => expect(messagesOf('marker')).toHaveLength(expected))
}

const setPeriod = async (limit_period: number) =>
  await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period }).expect(200)

/** Moves all times of a user into the past. */
async function pass(userId: string, days: number): Promise<void> {
  const by = sql`${days} * interval '24 hours'`
  const ofUser = sql`app_key = ${workspace.appKey} and user_id = ${userId}`
  await sql`update usage_user set anchor = anchor - ${by} where ${ofUser}`.execute(insights.db)
  await sql`update usage_period set starts_at = starts_at - ${by}, ends_at = ends_at - ${by} where ${ofUser}`.execute(insights.db)
  await sql`update blocking set blocked_until = blocked_until - ${by} where ${ofUser}`.execute(insights.db)
}

describe('a user of an application with on_limit block', () => {
  it('is blocked once, until the period ends, by the task that reaches the limit', async () => {
    await setLimit('joe', 3)
    const at = daysAgo(10)
    await insights.consume(workspace.tasks('joe', 2, at))
    await quiet()
    expect(messagesOf('joe')).toEqual([])
    await insights.consume(workspace.tasks('joe', 1))
    await insights.consume(workspace.tasks('joe', 2))
    await quiet()
    expect(await published('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
    expect(await insights.metric('limit_states_published_total')).toBeGreaterThanOrEqual(1)
  })

  it('is unblocked by a raised limit and blocked again by a lowered one', async () => {
    await insights.consume(workspace.tasks('joe', 5))
    await setLimit('joe', 5)
    await setLimit('joe', 6)
    await setLimit('joe', 7)
    await setLimit('joe', 4)
    await quiet()
    expect(await published('joe', 3)).toEqual([expect.any(String), null, expect.any(String)])
  })

  it('is blocked and unblocked by a bulk limit', async () => {
    await insights.consume([...workspace.tasks('joe', 5), ...workspace.tasks('ann', 2)])
    await workspace.setAll(5).expect(200)
    await published('joe', 1)
    await workspace.setAll(6).expect(200)
    expect(await published('joe', 2)).toEqual([expect.any(String), null])
    expect(messagesOf('ann')).toEqual([])
  })

  it('is blocked for one period by a limit of 0 before the first task', async () => {
    await setLimit('new', 0)
    const [until] = await published('new', 1)
    expect(Math.abs(Date.parse(until ?? '') - Date.now() - 30 * DAY)).toBeLessThan(60_000)
    await setLimit('new', 0)
    await quiet()
    expect(messagesOf('new')).toHaveLength(1)
    const at = daysAgo(1)
    await insights.consume(workspace.tasks('new', 1, at))
    expect((await published('new', 2))[1]).toBe(new Date(at.getTime() + 30 * DAY).toISOString())
  })

  it('is unblocked when the period ends; with a limit of 0 the user is blocked for the next period', async () => {
    await insights.consume([...workspace.tasks('joe', 2), ...workspace.tasks('ann', 2)])
    await workspace.setLimits([
      { user_id: 'joe', allowed_tasks: 2 },
      { user_id: 'ann', allowed_tasks: 0 },
    ])
    const [first] = await published('ann', 1)
    await published('joe', 1)
    await pass('joe', 30)
    await pass('ann', 30)
    expect((await published('joe', 2))[1]).toBeNull()
    expect((await published('ann', 2))[1]).toBe(first)
    await insights.consume(workspace.tasks('joe', 2))
    expect((await published('joe', 3))[2]).toEqual(expect.any(String))
  })

  it('is blocked by first tasks of a clock that is ahead', async () => {
    await setLimit('joe', 2)
    const at = daysAgo(-2 / (24 * 60))
    await insights.consume(workspace.tasks('joe', 2, at))
    expect(await published('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
  })

  it('is blocked until the new end of a future period whose length changes', async () => {
    await setLimit('joe', 1)
    const at = daysAgo(-3 / (24 * 60))
    await insights.consume(workspace.tasks('joe', 1, at))
    await published('joe', 1)
    await setPeriod(1)
    expect((await published('joe', 2))[1]).toBe(new Date(at.getTime() + DAY).toISOString())
  })

  it('is blocked until the new end of a period that begins while its length changes', async () => {
    await setLimit('joe', 1)
    let at = new Date()
    let changed: Promise<unknown> | undefined
    await insights.db.transaction().execute(async (tx) => {
      await shareApplications(tx, [workspace.appKey])
      changed = setPeriod(1)
      await insights.waitsForLock(1)
      at = new Date()
      await insights.consume(workspace.tasks('joe', 1, at))
    })
    await changed
    expect(await published('joe', 2)).toEqual([30 * DAY, DAY].map((ms) => new Date(at.getTime() + ms).toISOString()))
  })

  it('is not blocked by late tasks of an earlier period', async () => {
    await insights.consume(workspace.tasks('joe', 1, daysAgo(31)))
    await setLimit('joe', 2)
    await insights.consume(workspace.tasks('joe', 5, daysAgo(20)))
    await quiet()
    expect(messagesOf('joe')).toEqual([])
  })
})

describe('on_limit', () => {
  it('is allow by default, does not change when it is missing, and accepts no other value', async () => {
    const path = `/admin/applications/${workspace.appKey}-new`
    const put = (body: object) => insights.admin.put(path, { workspace_id: workspace.id, ...body })
    expect((await put({}).expect(200)).body.on_limit).toBe('allow')
    expect((await put({ on_limit: 'block' }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 30 })
    expect((await put({ limit_period: 7 }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 7 })
    await put({ on_limit: 'maybe' }).expect(400)
  })

  it('blocks users at their limit when it becomes block, and unblocks all when it becomes allow', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    await setLimit('zero', 0)
    await insights.consume([...workspace.tasks('joe', 3), ...workspace.tasks('ann', 1)])
    await onLimit('block')
    await published('joe', 1)
    await onLimit('allow')
    expect(await published('joe', 2)).toEqual([expect.any(String), null])
    expect(await published('zero', 2)).toEqual([expect.any(String), null])
    await insights.consume(workspace.tasks('joe', 1))
    await setLimit('joe', 1)
    await quiet()
    expect([messagesOf('joe').length, messagesOf('ann').length]).toEqual([2, 0])
  })

  it('applies to tasks that are counted while it changes', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    const work: Promise<unknown>[] = []
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 2, () => {
      work.push(insights.consume(workspace.tasks('joe', 2)))
      work.push(Promise.resolve(onLimit('block')))
    })
    await Promise.all(work)
    expect(await published('joe', 1)).toEqual([expect.any(String)])
  })

  it('applies to users who are created while it changes', async () => {
    await onLimit('allow')
    const { appKey, id } = workspace
    let changed = Promise.resolve()
    await insights.db.transaction().execute(async (tx) => {
      await shareWorkspaces(tx, [id])
      await insertUsers(tx, [{ appKey, userId: 'new', ownLimit: 0, limitSeq: 0 }])
      changed = onLimit('block').then(() => {})
      await insights.waitsForLock(1)
    })
    await changed
    expect(await published('new', 1)).toEqual([expect.any(String)])
  })
})

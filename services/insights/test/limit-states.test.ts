import { LIMIT_QUEUE, type LimitStatesJob } from '@onward/contract'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { shareApplications } from '../src/db/applications.ts'
import { sharePartners } from '../src/db/partners.ts'
import { insertUsers } from '../src/db/users.ts'
import { daysAgo } from './insights.ts'
import { useLimitStates } from './use-limit-states.ts'

const DAY = 86_400_000

const limits = useLimitStates()
const { onLimit, setLimit, ofPartner, told } = limits

/** Waits until the background has nothing left to do, and what it has to tell would have come. */
async function quiet(): Promise<void> {
  await limits.insights.changesDone()
  const expected = ofPartner('marker').length + 1
  const marker = { app_key: limits.partner.appKey, user_id: 'marker', seq: expected, blocked_until: null }
  await limits.queues.queue<LimitStatesJob>(LIMIT_QUEUE).add({ data: { states: [marker] } })
  await eventually(() => expect(ofPartner('marker')).toHaveLength(expected))
}

const setPeriod = async (limit_period: number) =>
  await limits.insights.admin
    .put(`/admin/applications/${limits.partner.appKey}`, { workspace_id: limits.partner.workspaceId, limit_period })
    .expect(200)

/** Lets time pass for a user: all of its times move into the past. */
async function pass(userId: string, days: number): Promise<void> {
  const by = sql`${days} * interval '24 hours'`
  const ofUser = sql`app_key = ${limits.partner.appKey} and user_id = ${userId}`
  await sql`update usage_user set anchor = anchor - ${by} where ${ofUser}`.execute(limits.insights.db)
  await sql`update usage_period set starts_at = starts_at - ${by}, ends_at = ends_at - ${by} where ${ofUser}`.execute(limits.insights.db)
  await sql`update limit_state set blocked_until = blocked_until - ${by} where ${ofUser}`.execute(limits.insights.db)
}

describe('a user of an application that blocks', () => {
  it('is blocked until the window ends by the task that uses up the limit, once', async () => {
    await setLimit('joe', 3)
    const at = daysAgo(10)
    await limits.insights.consume(limits.partner.tasks('joe', 2, at))
    await quiet()
    expect(ofPartner('joe')).toEqual([])
    await limits.insights.consume(limits.partner.tasks('joe', 1))
    await limits.insights.consume(limits.partner.tasks('joe', 2))
    await quiet()
    expect(await told('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
    expect(await limits.insights.metric('limit_states_published_total')).toBeGreaterThanOrEqual(1)
  })

  it('is freed by a raised limit, and blocked again by a lowered one', async () => {
    await limits.insights.consume(limits.partner.tasks('joe', 5))
    await setLimit('joe', 5)
    await setLimit('joe', 6)
    await setLimit('joe', 7)
    await setLimit('joe', 4)
    await quiet()
    expect(await told('joe', 3)).toEqual([expect.any(String), null, expect.any(String)])
  })

  it('is blocked and freed by the limit of all users', async () => {
    await limits.insights.consume([...limits.partner.tasks('joe', 5), ...limits.partner.tasks('ann', 2)])
    await limits.partner.setAll(5).expect(200)
    await told('joe', 1)
    await limits.partner.setAll(6).expect(200)
    expect(await told('joe', 2)).toEqual([expect.any(String), null])
    expect(ofPartner('ann')).toEqual([])
  })

  it('is blocked by a limit of 0 before the first task, for a period', async () => {
    await setLimit('new', 0)
    const [until] = await told('new', 1)
    expect(Math.abs(Date.parse(until ?? '') - Date.now() - 30 * DAY)).toBeLessThan(60_000)
    await setLimit('new', 0)
    await quiet()
    expect(ofPartner('new')).toHaveLength(1)
    const at = daysAgo(1)
    await limits.insights.consume(limits.partner.tasks('new', 1, at))
    expect((await told('new', 2))[1]).toBe(new Date(at.getTime() + 30 * DAY).toISOString())
  })

  it('is free when the window ends, and with a limit of 0 blocked for the next one', async () => {
    await limits.insights.consume([...limits.partner.tasks('joe', 2), ...limits.partner.tasks('ann', 2)])
    await limits.partner.setLimits([
      { user_id: 'joe', allowed_tasks: 2 },
      { user_id: 'ann', allowed_tasks: 0 },
    ])
    const [first] = await told('ann', 1)
    await told('joe', 1)
    await pass('joe', 30)
    await pass('ann', 30)
    expect((await told('joe', 2))[1]).toBeNull()
    expect((await told('ann', 2))[1]).toBe(first)
    await limits.insights.consume(limits.partner.tasks('joe', 2))
    expect((await told('joe', 3))[2]).toEqual(expect.any(String))
  })

  it('is blocked by first tasks that come from a clock ahead of ours', async () => {
    await setLimit('joe', 2)
    const at = daysAgo(-2 / (24 * 60))
    await limits.insights.consume(limits.partner.tasks('joe', 2, at))
    expect(await told('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
  })

  it('is blocked no longer than a window that lies ahead, when this gets another length', async () => {
    await setLimit('joe', 1)
    const at = daysAgo(-3 / (24 * 60))
    await limits.insights.consume(limits.partner.tasks('joe', 1, at))
    await told('joe', 1)
    await setPeriod(1)
    expect((await told('joe', 2))[1]).toBe(new Date(at.getTime() + DAY).toISOString())
  })

  it('is blocked no longer than a window that begins while its length is being changed', async () => {
    await setLimit('joe', 1)
    let at = new Date()
    let changed: Promise<unknown> | undefined
    await limits.insights.db.transaction().execute(async (tx) => {
      await shareApplications(tx, [limits.partner.appKey])
      changed = setPeriod(1)
      await limits.insights.waitsForLock(1)
      at = new Date()
      await limits.insights.consume(limits.partner.tasks('joe', 1, at))
    })
    await changed
    expect(await told('joe', 2)).toEqual([30 * DAY, DAY].map((ms) => new Date(at.getTime() + ms).toISOString()))
  })

  it('is not blocked by late tasks of an earlier window', async () => {
    await limits.insights.consume(limits.partner.tasks('joe', 1, daysAgo(31)))
    await setLimit('joe', 2)
    await limits.insights.consume(limits.partner.tasks('joe', 5, daysAgo(20)))
    await quiet()
    expect(ofPartner('joe')).toEqual([])
  })
})

describe('on_limit', () => {
  it('is "allow" until it is set, stays when it is left out, and is nothing else', async () => {
    const path = `/admin/applications/${limits.partner.appKey}-new`
    const put = (body: object) => limits.insights.admin.put(path, { workspace_id: limits.partner.workspaceId, ...body })
    expect((await put({}).expect(200)).body.on_limit).toBe('allow')
    expect((await put({ on_limit: 'block' }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 30 })
    expect((await put({ limit_period: 7 }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 7 })
    await put({ on_limit: 'maybe' }).expect(400)
  })

  it('blocks those who are at their limit when it becomes "block", and frees all when it becomes "allow"', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    await setLimit('zero', 0)
    await limits.insights.consume([...limits.partner.tasks('joe', 3), ...limits.partner.tasks('ann', 1)])
    await onLimit('block')
    await told('joe', 1)
    await onLimit('allow')
    expect(await told('joe', 2)).toEqual([expect.any(String), null])
    expect(await told('zero', 2)).toEqual([expect.any(String), null])
    await limits.insights.consume(limits.partner.tasks('joe', 1))
    await setLimit('joe', 1)
    await quiet()
    expect([ofPartner('joe').length, ofPartner('ann').length]).toEqual([2, 0])
  })

  it('takes in tasks that are being counted while it changes', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    const work: Promise<unknown>[] = []
    await limits.insights.whileUserIsLocked(limits.partner.appKey, 'joe', 2, () => {
      work.push(limits.insights.consume(limits.partner.tasks('joe', 2)))
      work.push(Promise.resolve(onLimit('block')))
    })
    await Promise.all(work)
    expect(await told('joe', 1)).toEqual([expect.any(String)])
  })

  it('takes in users who are being added while it changes', async () => {
    await onLimit('allow')
    const { appKey, workspaceId } = limits.partner
    let changed = Promise.resolve()
    await limits.insights.db.transaction().execute(async (tx) => {
      await sharePartners(tx, [workspaceId])
      await insertUsers(tx, [{ appKey, userId: 'new', ownLimit: 0, limitSeq: 0 }])
      changed = onLimit('block').then(() => {})
      await limits.insights.waitsForLock(1)
    })
    await changed
    expect(await told('new', 1)).toEqual([expect.any(String)])
  })
})

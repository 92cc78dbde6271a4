import { LIMIT_QUEUE, type LimitState, type LimitStatesJob, limitStatesJob } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { sharePartners } from '../src/db/partners.ts'
import { insertUsers } from '../src/db/users.ts'
import { daysAgo, type Insights, openInsights, type Partner } from './insights.ts'

const DAY = 86_400_000
const check = compileCheck(limitStatesJob, 'strict')

let insights: Insights
let queues: Queues
let partner: Partner
const received: LimitState[] = []
let held = Promise.resolve()

beforeAll(async () => {
  insights = await openInsights()
  queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
  queues.worker<LimitStatesJob>(
    LIMIT_QUEUE,
    async ({ data }) => {
      await held
      expect(check(data)).toEqual([])
      received.push(...data.states)
    },
    1,
  )
})
beforeEach(async () => {
  partner = await insights.partner()
  await onLimit('block')
})
afterAll(async () => {
  await queues.close()
  await insights.close()
})

const onLimit = (on_limit: string) =>
  insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, on_limit }).expect(200)
const setLimit = (user_id: string, allowed_tasks: number) => partner.setLimits([{ user_id, allowed_tasks }]).expect(200)
const ofPartner = (userId: string) => received.filter((state) => state.app_key === partner.appKey && state.user_id === userId)

/** What functions was told of a user, once it was told so often. */
async function told(userId: string, times: number): Promise<(string | null)[]> {
  await eventually(() => expect(ofPartner(userId).length).toBeGreaterThanOrEqual(times))
  const states = ofPartner(userId)
  expect(states.map(({ seq }) => seq)).toEqual(states.map(({ seq }) => seq).sort((a, b) => a - b))
  return states.map((state) => state.blocked_until)
}

/** Waits until the background has nothing left to do, and what it has to tell would have come. */
async function quiet(): Promise<void> {
  await eventually(async () => expect(await insights.db.selectFrom('reevaluation').selectAll().execute()).toEqual([]))
  const expected = ofPartner('marker').length + 1
  await setLimit('marker', expected % 2 === 0 ? 1 : 0)
  await eventually(() => expect(ofPartner('marker')).toHaveLength(expected))
}

/** Lets time pass for a user: all of its times move into the past. */
async function pass(userId: string, days: number): Promise<void> {
  const by = sql`${days} * interval '1 day'`
  const ofUser = sql`app_key = ${partner.appKey} and user_id = ${userId}`
  await sql`update usage_user set anchor = anchor - ${by} where ${ofUser}`.execute(insights.db)
  await sql`update usage_period set starts_at = starts_at - ${by}, ends_at = ends_at - ${by} where ${ofUser}`.execute(insights.db)
  await sql`update limit_state set blocked_until = blocked_until - ${by} where ${ofUser}`.execute(insights.db)
}

describe('a user of an application that blocks', () => {
  it('is blocked until the window ends by the task that uses up the limit, once', async () => {
    await setLimit('joe', 3)
    const at = daysAgo(10)
    await insights.consume(partner.tasks('joe', 2, at))
    await quiet()
    expect(ofPartner('joe')).toEqual([])
    await insights.consume(partner.tasks('joe', 1))
    await insights.consume(partner.tasks('joe', 2))
    await quiet()
    expect(await told('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
    expect(await insights.metric('limit_states_published_total')).toBeGreaterThanOrEqual(1)
  })

  it('is freed by a raised limit, and blocked again by a lowered one', async () => {
    await insights.consume(partner.tasks('joe', 5))
    await setLimit('joe', 5)
    await setLimit('joe', 6)
    await setLimit('joe', 7)
    await setLimit('joe', 4)
    await quiet()
    expect(await told('joe', 3)).toEqual([expect.any(String), null, expect.any(String)])
  })

  it('is blocked and freed by the limit of all users', async () => {
    await insights.consume([...partner.tasks('joe', 5), ...partner.tasks('ann', 2)])
    await partner.setAll(5).expect(200)
    await told('joe', 1)
    await partner.setAll(6).expect(200)
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
    await insights.consume(partner.tasks('new', 1, daysAgo(1)))
    expect((await told('new', 2))[1]).toMatch(new Date(daysAgo(1).getTime() + 30 * DAY).toISOString().slice(0, 15))
  })

  it('is free when the window ends, and with a limit of 0 blocked for the next one', async () => {
    await insights.consume([...partner.tasks('joe', 2), ...partner.tasks('ann', 2)])
    await partner.setLimits([
      { user_id: 'joe', allowed_tasks: 2 },
      { user_id: 'ann', allowed_tasks: 0 },
    ])
    const [first] = await told('ann', 1)
    await told('joe', 1)
    await pass('joe', 30)
    await pass('ann', 30)
    expect((await told('joe', 2))[1]).toBeNull()
    expect((await told('ann', 2))[1]).toBe(first)
    await insights.consume(partner.tasks('joe', 2))
    expect((await told('joe', 3))[2]).toEqual(expect.any(String))
  })

  it('is blocked by first tasks that come from a clock ahead of ours', async () => {
    await setLimit('joe', 2)
    const at = daysAgo(-2 / (24 * 60))
    await insights.consume(partner.tasks('joe', 2, at))
    expect(await told('joe', 1)).toEqual([new Date(at.getTime() + 30 * DAY).toISOString()])
  })

  it('is not blocked by late tasks of an earlier window', async () => {
    await insights.consume(partner.tasks('joe', 1, daysAgo(31)))
    await setLimit('joe', 2)
    await insights.consume(partner.tasks('joe', 5, daysAgo(20)))
    await quiet()
    expect(ofPartner('joe')).toEqual([])
  })
})

describe('on_limit', () => {
  it('is "allow" until it is set, stays when it is left out, and is nothing else', async () => {
    const path = `/admin/applications/${partner.appKey}-new`
    const put = (body: object) => insights.admin.put(path, { workspace_id: partner.workspaceId, ...body })
    expect((await put({}).expect(200)).body.on_limit).toBe('allow')
    expect((await put({ on_limit: 'block' }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 30 })
    expect((await put({ limit_period: 7 }).expect(200)).body).toMatchObject({ on_limit: 'block', limit_period: 7 })
    await put({ on_limit: 'maybe' }).expect(400)
  })

  it('blocks those who are at their limit when it becomes "block", and frees all when it becomes "allow"', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    await setLimit('zero', 0)
    await insights.consume([...partner.tasks('joe', 3), ...partner.tasks('ann', 1)])
    await onLimit('block')
    await told('joe', 1)
    await onLimit('allow')
    expect(await told('joe', 2)).toEqual([expect.any(String), null])
    expect(await told('zero', 2)).toEqual([expect.any(String), null])
    await insights.consume(partner.tasks('joe', 1))
    await setLimit('joe', 1)
    expect([ofPartner('joe').length, ofPartner('ann').length]).toEqual([2, 0])
  })

  it('takes in tasks that are being counted while it changes', async () => {
    await onLimit('allow')
    await setLimit('joe', 2)
    const work: Promise<unknown>[] = []
    await insights.whileUserIsLocked(partner.appKey, 'joe', 2, () => {
      work.push(insights.consume(partner.tasks('joe', 2)))
      work.push(Promise.resolve(onLimit('block')))
    })
    await Promise.all(work)
    expect(await told('joe', 1)).toEqual([expect.any(String)])
  })

  it('takes in users who are being added while it changes', async () => {
    await onLimit('allow')
    const { appKey, workspaceId } = partner
    let changed = Promise.resolve()
    await insights.db.transaction().execute(async (tx) => {
      await sharePartners(tx, [workspaceId])
      await insertUsers(tx, [{ appKey, userId: 'new', ownLimit: 0, limitSeq: 0 }])
      changed = onLimit('block').then(() => {})
      await insights.waitsForLock(1)
    })
    await changed
    expect(await told('new', 1)).toEqual([expect.any(String)])
  })
})

describe('a state that was lost', () => {
  const due = (userId: string, set = sql`publish_at = now()`) =>
    sql`update limit_state set ${set} where app_key = ${partner.appKey} and user_id = ${userId}`.execute(insights.db)

  it('is told again, with the same number', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    await due('joe')
    await told('joe', 2)
    await setLimit('joe', 1)
    await told('joe', 3)
    await due('joe')
    await told('joe', 4)
    const [first, again, freed, freedAgain] = ofPartner('joe')
    expect([again, freedAgain]).toEqual([first, freed])
  })

  it('is told two minutes later as long as it blocks, and forgotten a quarter of an hour after it ceased to', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    const row = () =>
      insights.db.selectFrom('limit_state').selectAll().where('app_key', '=', partner.appKey).where('user_id', '=', 'joe').execute()
    await eventually(async () => {
      const [state] = await row()
      const inSeconds = (Number(state?.publish_at) - Date.now()) / 1_000
      expect(Math.abs(inSeconds - 115)).toBeLessThan(6)
    })
    await setLimit('joe', 1)
    await told('joe', 2)
    await due('joe', sql`publish_at = now(), changed_at = now() - interval '16 minutes'`)
    await eventually(async () => expect(await row()).toEqual([]))
    expect(ofPartner('joe')).toHaveLength(2)
  })

  it('is not told, nor told again, while too many messages wait for functions', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    const waiting = queues.queue<LimitStatesJob>(LIMIT_QUEUE)
    const states = [{ app_key: 'other', user_id: 'other', seq: 1, blocked_until: null }]
    await waiting.addBulk(Array.from({ length: 102 }, () => ({ name: LIMIT_QUEUE, data: { states } })))
    try {
      await eventually(async () => expect(await waiting.getWaitingCount()).toBe(101))
      await due('joe')
      await setLimit('ann', 0)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect(await waiting.getWaitingCount()).toBe(101)
      // Nobody has taken it in hand for nothing.
      const state = await insights.db
        .selectFrom('limit_state')
        .select('publish_at')
        .where('app_key', '=', partner.appKey)
        .where('user_id', '=', 'joe')
        .executeTakeFirst()
      expect(Number(state?.publish_at)).toBeLessThan(Date.now())
    } finally {
      release()
    }
    await told('joe', 2)
    await told('ann', 1)
  })

  it('is told by whoever finds it when its process died before it could', async () => {
    await sql`insert into limit_state values (${partner.appKey}, 'joe', nextval('limit_state_seq'), now() + interval '1 day', now(), now())`.execute(
      insights.db,
    )
    expect(await told('joe', 1)).toEqual([expect.any(String)])
  })
})

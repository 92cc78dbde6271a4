import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import { daysAgo, type Insights, openInsights, type Partner, task } from './insights.ts'

let insights: Insights
let receiver: ScriptedServer
beforeAll(async () => {
  receiver = await openScriptedServer()
  insights = await openInsights()
})
afterAll(async () => {
  await insights.close()
  await receiver.close()
})

const subscribe = async (partner: Partner, events = ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url = receiver.url) =>
  (await partner.subscribe({ events, callback_url }).expect(200)).body.subscription_id as string

/** The notices stored for a partner's application, in the order of levels: user, level, tasks consumed, limit. */
async function told(partner: Partner): Promise<[string, number, number, number][]> {
  const rows = await insights.db
    .selectFrom('delivery')
    .selectAll()
    .where('app_key', '=', partner.appKey)
    .orderBy('created_at')
    .orderBy('level')
    .execute()
  return rows.map((row) => {
    const body = JSON.parse(row.body)
    return [row.user_id, row.level, body.tasks_consumed, body.current_limit]
  })
}
const byUser = <T extends readonly [string, ...unknown[]]>(notices: T[]) => notices.sort(([a], [b]) => a.localeCompare(b))
const bulkDone = async () =>
  await eventually(async () => expect(await insights.db.selectFrom('reevaluation').selectAll().execute()).toEqual([]))

async function partnerWithLimit(limit: number, events?: string[]): Promise<Partner> {
  const partner = await insights.partner()
  await partner.setDefault(limit).expect(200)
  await subscribe(partner, events)
  return partner
}

describe('a level', () => {
  it('is told once when consumption reaches it, with the figures of that moment', async () => {
    const partner = await partnerWithLimit(10)
    await insights.consume(partner.tasks('joe', 7))
    expect(await told(partner)).toEqual([])
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([['joe', 80, 8, 10]])
    await insights.consume(partner.tasks('joe', 1))
    await insights.consume(partner.tasks('joe', 1))
    await insights.consume(partner.tasks('joe', 3))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('is told as the body that the specification gives', async () => {
    const partner = await partnerWithLimit(10)
    await insights.consume(partner.tasks('joe@example.com', 9))
    const { body } = await insights.db.selectFrom('delivery').select('body').where('app_key', '=', partner.appKey).executeTakeFirstOrThrow()
    expect(JSON.parse(body)).toEqual({
      user_id: 'joe@example.com',
      current_limit: 10,
      limit_period: '30',
      tasks_consumed: 9,
      tasks_remaining: 1,
      tasks_consumed_percent: 90,
      tasks_remaining_percent: 10,
      limit_reset_after: 30,
    })
  })

  it('is told beside another one that the same batch passes', async () => {
    const partner = await partnerWithLimit(10)
    await insights.consume(partner.tasks('joe', 11))
    expect(await told(partner)).toEqual([
      ['joe', 80, 11, 10],
      ['joe', 100, 11, 10],
    ])
  })

  it('is told at the first task under limit 0, all of them', async () => {
    const partner = await partnerWithLimit(0, ['user_tasks_limit_1', 'user_tasks_limit_100'])
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      ['joe', 1, 1, 0],
      ['joe', 100, 1, 0],
    ])
  })

  it('is told for each user, and to each subscription that asked for it', async () => {
    const partner = await partnerWithLimit(2, ['user_tasks_limit_50'])
    await subscribe(partner, ['user_tasks_limit_50', 'user_tasks_limit_51'])
    await insights.consume([...partner.tasks('joe', 1), ...partner.tasks('ann', 1)])
    expect(byUser((await told(partner)).map(([user, level]) => [user, level]))).toEqual([
      ['ann', 50],
      ['ann', 50],
      ['joe', 50],
      ['joe', 50],
    ])
  })

  it('is not told to a subscription that was made after it was passed', async () => {
    const partner = await insights.partner()
    await partner.setDefault(10)
    await insights.consume(partner.tasks('joe', 9))
    await subscribe(partner)
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([['joe', 100, 10, 10]])
  })

  it('is told again in the next window', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80'])
    await insights.consume(partner.tasks('joe', 8, daysAgo(31)))
    await insights.consume(partner.tasks('joe', 9))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 80, 9, 10],
    ])
  })

  it('that a late task reaches is told with the figures of its own window', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80'])
    await insights.consume(partner.tasks('joe', 7, daysAgo(31)))
    await insights.consume(partner.tasks('joe', 2))
    await insights.consume(partner.tasks('joe', 1, daysAgo(30.9)))
    expect(await told(partner)).toEqual([['joe', 80, 8, 10]])
    const { body } = await insights.db.selectFrom('delivery').select('body').where('app_key', '=', partner.appKey).executeTakeFirstOrThrow()
    expect(JSON.parse(body).limit_reset_after).toBe(0)
  })
})

describe('a limit of one user', () => {
  const set = async (partner: Partner, allowed_tasks: number) => await partner.setLimits([{ user_id: 'joe', allowed_tasks }]).expect(200)

  it('that is lowered past a level tells it at once', async () => {
    const partner = await partnerWithLimit(100)
    await insights.consume(partner.tasks('joe', 10))
    await set(partner, 12)
    expect(await told(partner)).toEqual([['joe', 80, 10, 12]])
    await set(partner, 10)
    expect(await told(partner)).toEqual([
      ['joe', 80, 10, 12],
      ['joe', 100, 10, 10],
    ])
  })

  it('that is raised arms the levels which the user is below again', async () => {
    const partner = await partnerWithLimit(10)
    await insights.consume(partner.tasks('joe', 10))
    await set(partner, 20)
    await insights.consume(partner.tasks('joe', 6))
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      ['joe', 80, 10, 10],
      ['joe', 100, 10, 10],
      ['joe', 80, 16, 20],
    ])
  })

  it('that is raised while the user stays above a level tells nothing', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80'])
    await insights.consume(partner.tasks('joe', 10))
    await set(partner, 11)
    await set(partner, 12)
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([['joe', 80, 10, 10]])
  })

  it('of 0 tells nothing before the first task', async () => {
    const partner = await partnerWithLimit(10)
    await set(partner, 0)
    expect(await told(partner)).toEqual([])
    await insights.consume(partner.tasks('joe', 1))
    expect((await told(partner)).map(([, level]) => level)).toEqual([80, 100])
  })

  it('tells nothing of a window that is over', async () => {
    const partner = await partnerWithLimit(100)
    await insights.consume(partner.tasks('joe', 10, daysAgo(31)))
    await set(partner, 5)
    expect(await told(partner)).toEqual([])
  })
})

describe('the limit of all users', () => {
  it('that is lowered tells users past a level, soon', async () => {
    const partner = await partnerWithLimit(100)
    await insights.consume([...partner.tasks('joe', 10), ...partner.tasks('ann', 9), ...partner.tasks('bob', 2)])
    await partner.setAll(10).expect(200)
    await bulkDone()
    expect(byUser(await told(partner))).toEqual([
      ['ann', 80, 9, 10],
      ['joe', 80, 10, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('that is raised arms again', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_100'])
    await insights.consume(partner.tasks('joe', 10))
    await partner.setAll(20).expect(200)
    await insights.consume(partner.tasks('joe', 10))
    await bulkDone()
    expect(await told(partner)).toEqual([
      ['joe', 100, 10, 10],
      ['joe', 100, 20, 20],
    ])
  })

  it('reaches more users than one page', async () => {
    const partner = await partnerWithLimit(100, ['user_tasks_limit_100'])
    for (const part of [0, 1, 2]) {
      await insights.consume(Array.from({ length: 450 }, (_, i) => task(partner.appKey, `user-${part}-${i}`)))
    }
    await partner.setAll(1).expect(200)
    await bulkDone()
    expect(await told(partner)).toHaveLength(1_350)
  })

  it('is worked off after a restart', async () => {
    const partner = await partnerWithLimit(100, ['user_tasks_limit_100'])
    await insights.consume(partner.tasks('joe', 3))
    await insights.stop()
    await insights.db
      .updateTable('partner')
      .set({ bulk_limit: 3, bulk_seq: 9, limit_seq: 9 })
      .where('id', '=', partner.workspaceId)
      .execute()
    await insights.db.insertInto('reevaluation').values({ partner_id: partner.workspaceId }).execute()
    await insights.restart()
    await bulkDone()
    expect(await told(partner)).toEqual([['joe', 100, 3, 3]])
  })
})

describe('consumers and setters at once', () => {
  it('miss no level and tell none twice', async () => {
    const partner = await partnerWithLimit(1_000_000)
    const users = Array.from({ length: 10 }, (_, i) => `user-${i}`)
    const consuming = Array.from({ length: 20 }, async () => {
      await insights.consume(users.flatMap((user) => partner.tasks(user, 2)))
    })
    const setting = [60, 50, 45].map(async (allowed_tasks) => {
      await partner.setLimits(users.map((user_id) => ({ user_id, allowed_tasks }))).expect(200)
    })
    await Promise.all([...consuming, ...setting, partner.setAll(41).expect(200), partner.setAll(42).expect(200)])
    await bulkDone()
    // Whatever limit came last, 40 tasks are past it: the newest limit decides which levels were reached last.
    const { body } = await partner.list().expect(200)
    for (const status of body as { user_id: string; current_limit: number; tasks_consumed: number }[]) {
      expect(status.tasks_consumed).toBe(40)
      const mark = await insights.db
        .selectFrom('usage_period')
        .select(['level', 'arm_seq'])
        .where('app_key', '=', partner.appKey)
        .where('user_id', '=', status.user_id)
        .executeTakeFirstOrThrow()
      expect(mark.level).toBe(Math.min(100, Math.floor((40 * 100) / status.current_limit)))
      const notices = (await told(partner)).filter(([user]) => user === status.user_id)
      if (mark.level >= 80) expect(notices.filter(([, level]) => level === 80).length).toBeGreaterThan(0)
      if (mark.level < 80) expect(notices).toHaveLength(0)
    }
    const keys = await insights.db
      .selectFrom('delivery')
      .select(['user_id', 'level', 'arm_seq'])
      .where('app_key', '=', partner.appKey)
      .execute()
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length)
  })
})

import { task } from './insights.ts'
import { useNotices } from './use-notices.ts'

const notices = useNotices()
const { told, byUser, partnerWithLimit } = notices

describe('the limit of all users', () => {
  it('that is lowered tells users past a level, soon', async () => {
    const partner = await partnerWithLimit(100)
    await notices.insights.consume([...partner.tasks('joe', 10), ...partner.tasks('ann', 9), ...partner.tasks('bob', 2)])
    await partner.setAll(10).expect(200)
    await notices.insights.changesDone()
    expect(byUser(await told(partner))).toEqual([
      ['ann', 80, 9, 10],
      ['joe', 80, 10, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('that is raised arms again', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_100'])
    await notices.insights.consume(partner.tasks('joe', 10))
    await partner.setAll(20).expect(200)
    await notices.insights.consume(partner.tasks('joe', 10))
    await notices.insights.changesDone()
    expect(await told(partner)).toEqual([
      ['joe', 100, 10, 10],
      ['joe', 100, 20, 20],
    ])
  })

  it('reaches more users than one page', async () => {
    const partner = await partnerWithLimit(100, ['user_tasks_limit_100'])
    for (const part of [0, 1, 2]) {
      await notices.insights.consume(Array.from({ length: 450 }, (_, i) => task(partner.appKey, `user-${part}-${i}`)))
    }
    await partner.setAll(1).expect(200)
    await notices.insights.changesDone()
    expect(await told(partner)).toHaveLength(1_350)
  })

  it('is worked off after a restart', async () => {
    const partner = await partnerWithLimit(100, ['user_tasks_limit_100'])
    await notices.insights.consume(partner.tasks('joe', 3))
    await notices.insights.stop()
    await notices.insights.db
      .updateTable('partner')
      .set({ bulk_limit: 3, bulk_seq: 9, limit_seq: 9 })
      .where('id', '=', partner.workspaceId)
      .execute()
    await notices.insights.db.insertInto('reevaluation').values({ partner_id: partner.workspaceId, task_limit: 3, limit_seq: 9 }).execute()
    await notices.insights.restart()
    await notices.insights.changesDone()
    expect(await told(partner)).toEqual([['joe', 100, 3, 3]])
  })
})

describe('consumers and setters at once', () => {
  it('wait for each other, and go by the limit that holds when they had to wait', async () => {
    const partner = await partnerWithLimit(100)
    await notices.insights.consume(partner.tasks('joe', 7))
    let consumed: Promise<void> | undefined
    let lowered: Promise<unknown> | undefined
    await notices.insights.whileUserIsLocked(partner.appKey, 'joe', 2, () => {
      consumed = notices.insights.consume(partner.tasks('joe', 1))
      lowered = partner
        .setLimits([{ user_id: 'joe', allowed_tasks: 10 }])
        .expect(200)
        .then()
    })
    await Promise.all([consumed, lowered])
    expect(await told(partner)).toEqual([['joe', 80, 8, 10]])
  })

  it('do not lose the limit of all users to a first task that is being counted', async () => {
    const partner = await partnerWithLimit(100, ['user_tasks_limit_100'])
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 100 }]).expect(200)
    let consumed: Promise<void> | undefined
    let lowered: Promise<unknown> | undefined
    await notices.insights.whileUserIsLocked(partner.appKey, 'joe', 2, () => {
      consumed = notices.insights.consume(partner.tasks('joe', 3))
      lowered = partner.setAll(3).expect(200).then()
    })
    await Promise.all([consumed, lowered])
    await notices.insights.changesDone()
    expect(await told(partner)).toEqual([['joe', 100, 3, 3]])
  })

  it('miss no level and tell none twice', async () => {
    const partner = await partnerWithLimit(1_000_000)
    const users = Array.from({ length: 10 }, (_, i) => `user-${i}`)
    const consuming = Array.from({ length: 20 }, async () => {
      await notices.insights.consume(users.flatMap((user) => partner.tasks(user, 2)))
    })
    const setting = [50, 48, 45].map(async (allowed_tasks) => {
      await partner.setLimits(users.map((user_id) => ({ user_id, allowed_tasks }))).expect(200)
    })
    await Promise.all([...consuming, ...setting, partner.setAll(41).expect(200), partner.setAll(42).expect(200)])
    await notices.insights.changesDone()
    // Whatever limit came last, 40 tasks are 80 % of it or more: the newest limit decides which levels were reached last.
    const { body } = await partner.list().expect(200)
    for (const status of body as { user_id: string; current_limit: number; tasks_consumed: number }[]) {
      expect(status.tasks_consumed).toBe(40)
      const mark = await notices.insights.db
        .selectFrom('usage_period')
        .select(['level', 'arm_seq'])
        .where('app_key', '=', partner.appKey)
        .where('user_id', '=', status.user_id)
        .executeTakeFirstOrThrow()
      expect(mark.level).toBe(Math.min(100, Math.floor((40 * 100) / status.current_limit)))
      const heard = (await told(partner)).filter(([user]) => user === status.user_id)
      expect(heard.filter(([, level]) => level === 80).length).toBeGreaterThan(0)
    }
    const keys = await notices.insights.db
      .selectFrom('delivery')
      .select(['user_id', 'level', 'arm_seq'])
      .where('app_key', '=', partner.appKey)
      .execute()
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length)
  })
})

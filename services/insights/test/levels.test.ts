import { daysAgo, type Partner } from './insights.ts'
import { useNotices } from './use-notices.ts'

const notices = useNotices()
const { subscribe, told, byUser, partnerWithLimit } = notices

describe('a level', () => {
  it('is told once when consumption reaches it, with the figures of that moment', async () => {
    const partner = await partnerWithLimit(10)
    await notices.insights.consume(partner.tasks('joe', 7))
    expect(await told(partner)).toEqual([])
    await notices.insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([['joe', 80, 8, 10]])
    await notices.insights.consume(partner.tasks('joe', 1))
    await notices.insights.consume(partner.tasks('joe', 1))
    await notices.insights.consume(partner.tasks('joe', 3))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('is told as the body that the specification gives', async () => {
    const partner = await partnerWithLimit(10)
    await notices.insights.consume(partner.tasks('joe@example.com', 9))
    const { body } = await notices.insights.db
      .selectFrom('delivery')
      .select('body')
      .where('app_key', '=', partner.appKey)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(body)).toEqual({
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

  it('is told with the figures of its own moment, however many tasks are counted at once', async () => {
    const partner = await partnerWithLimit(10)
    await notices.insights.consume(partner.tasks('joe', 11))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
    ])
  })

  it('is told at the first task under limit 0, all of them', async () => {
    const partner = await partnerWithLimit(0, ['user_tasks_limit_1', 'user_tasks_limit_100'])
    await notices.insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      ['joe', 1, 1, 0],
      ['joe', 100, 1, 0],
    ])
  })

  it('is told for each user, and to each subscription that asked for it', async () => {
    const partner = await partnerWithLimit(2, ['user_tasks_limit_50'])
    await subscribe(partner, ['user_tasks_limit_50', 'user_tasks_limit_51'])
    await notices.insights.consume([...partner.tasks('joe', 1), ...partner.tasks('ann', 1)])
    expect(byUser((await told(partner)).map(([user, level]) => [user, level]))).toEqual([
      ['ann', 50],
      ['ann', 50],
      ['joe', 50],
      ['joe', 50],
    ])
  })

  it('is not told to a subscription that was made after it was passed', async () => {
    const partner = await notices.insights.partner()
    await partner.setDefault(10)
    await notices.insights.consume(partner.tasks('joe', 9))
    await subscribe(partner)
    await notices.insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([['joe', 100, 10, 10]])
  })

  it('is told again in the next window', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80'])
    await notices.insights.consume(partner.tasks('joe', 8, daysAgo(31)))
    await notices.insights.consume(partner.tasks('joe', 9))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 80, 8, 10],
    ])
  })

  it('that a late task reaches is told with the figures of its own window', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80'])
    await notices.insights.consume(partner.tasks('joe', 7, daysAgo(31)))
    await notices.insights.consume(partner.tasks('joe', 2))
    await notices.insights.consume(partner.tasks('joe', 1, daysAgo(30.9)))
    expect(await told(partner)).toEqual([['joe', 80, 8, 10]])
    const { body } = await notices.insights.db
      .selectFrom('delivery')
      .select('body')
      .where('app_key', '=', partner.appKey)
      .executeTakeFirstOrThrow()
    expect(JSON.parse(body).limit_reset_after).toBe(0)
  })
})

describe('a limit of one user', () => {
  const set = async (partner: Partner, allowed_tasks: number) => await partner.setLimits([{ user_id: 'joe', allowed_tasks }]).expect(200)

  it('that is lowered past a level tells it at once', async () => {
    const partner = await partnerWithLimit(100)
    await notices.insights.consume(partner.tasks('joe', 10))
    await set(partner, 12)
    expect(await told(partner)).toEqual([['joe', 80, 10, 12]])
    await set(partner, 10)
    expect(await told(partner)).toEqual([
      ['joe', 80, 10, 12],
      ['joe', 100, 10, 10],
    ])
  })

  it('that is lowered when a window has ended tells its levels with the late task that comes then', async () => {
    const partner = await partnerWithLimit(10)
    await notices.insights.consume(partner.tasks('joe', 3, daysAgo(31)))
    await notices.insights.consume(partner.tasks('joe', 1))
    await set(partner, 2)
    await notices.insights.consume(partner.tasks('joe', 2, daysAgo(30.9)))
    expect(await told(partner)).toEqual([
      ['joe', 80, 4, 2],
      ['joe', 100, 4, 2],
    ])
  })

  it('that is raised arms the levels which the user is below again', async () => {
    const partner = await partnerWithLimit(10)
    await notices.insights.consume(partner.tasks('joe', 10))
    await set(partner, 20)
    await notices.insights.consume(partner.tasks('joe', 6))
    await notices.insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 100, 10, 10],
      ['joe', 80, 16, 20],
    ])
  })

  it('that is raised while the user stays above a level tells nothing', async () => {
    const partner = await partnerWithLimit(10, ['user_tasks_limit_80', 'user_tasks_limit_90'])
    await notices.insights.consume(partner.tasks('joe', 10))
    await set(partner, 11)
    await notices.insights.consume(partner.tasks('joe', 1))
    await set(partner, 12)
    await notices.insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      ['joe', 80, 8, 10],
      ['joe', 90, 9, 10],
    ])
  })

  it('of 0 tells nothing before the first task', async () => {
    const partner = await partnerWithLimit(10)
    await set(partner, 0)
    expect(await told(partner)).toEqual([])
    await notices.insights.consume(partner.tasks('joe', 1))
    expect((await told(partner)).map(([, level]) => level)).toEqual([80, 100])
  })

  it('tells nothing of a window that is over', async () => {
    const partner = await partnerWithLimit(100)
    await notices.insights.consume(partner.tasks('joe', 10, daysAgo(31)))
    await set(partner, 5)
    expect(await told(partner)).toEqual([])
  })
})

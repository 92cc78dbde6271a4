import { FAST, type Insights, openInsights, type Partner } from './insights.ts'

describe('limits of all users that the background has not come to yet', () => {
  let insights: Insights
  beforeAll(async () => {
    insights = await openInsights({ timing: { ...FAST, recheckEveryMs: 2 ** 31 - 1 } })
  })
  afterAll(async () => await insights.close())

  async function partnerAtLimit(): Promise<Partner> {
    const partner = await insights.partner()
    await partner.setDefault(10).expect(200)
    await partner.subscribe({ events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: insights.url }).expect(200)
    await insights.consume(partner.tasks('joe', 10))
    return partner
  }

  async function told(partner: Partner): Promise<[number, number, number][]> {
    const rows = await insights.db
      .selectFrom('delivery')
      .selectAll()
      .where('app_key', '=', partner.appKey)
      .orderBy('arm_seq')
      .orderBy('level')
      .execute()
    return rows.map((row) => {
      const { tasks_consumed, current_limit } = JSON.parse(row.body)
      return [row.level, tasks_consumed, current_limit]
    })
  }

  it('are each gone through by a user who is counted, with what was consumed before', async () => {
    const partner = await partnerAtLimit()
    await partner.setAll(20).expect(200)
    await partner.setAll(11).expect(200)
    await insights.consume(partner.tasks('joe', 1))
    expect(await told(partner)).toEqual([
      [80, 8, 10],
      [100, 10, 10],
      [80, 10, 11],
      [100, 11, 11],
    ])
  })

  it('are each gone through by a user whose own limit is set', async () => {
    const partner = await partnerAtLimit()
    await partner.setAll(20).expect(200)
    await partner.setAll(12).expect(200)
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 1_000 }]).expect(200)
    expect(await told(partner)).toEqual([
      [80, 8, 10],
      [100, 10, 10],
      [80, 10, 12],
    ])
    expect((await partner.status('joe')).body.current_limit).toBe(1_000)
  })

  it('meet users of an application that was provisioned late after they were looked at', async () => {
    const partner = await partnerAtLimit()
    const appKey = `${partner.appKey}-late`
    await insights.consume(partner.tasks('ann', 9).map((event) => ({ ...event, app_key: appKey })))
    await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: partner.workspaceId }).expect(200)
    await partner.setAll(100).expect(200)
    await insights.consume(partner.tasks('ann', 1).map((event) => ({ ...event, app_key: appKey })))
    const rows = await insights.db.selectFrom('delivery').select(['level', 'body']).where('app_key', '=', appKey).execute()
    expect(rows.map(({ level, body }) => [level, JSON.parse(body).tasks_consumed, JSON.parse(body).current_limit])).toEqual([[80, 9, 10]])
  })

  it('meet windows that lie ahead before these get another length', async () => {
    const partner = await insights.partner()
    await partner.subscribe({ events: ['user_tasks_limit_100'], callback_url: insights.url }).expect(200)
    await insights.consume(partner.tasks('joe', 2, new Date(Date.now() + 3 * 60_000)))
    await partner.setAll(2).expect(200)
    await insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, limit_period: 1 }).expect(200)
    const rows = await insights.db.selectFrom('delivery').select('body').where('app_key', '=', partner.appKey).execute()
    expect(rows.map(({ body }) => JSON.parse(body).limit_period)).toEqual(['30'])
    expect((await partner.status('joe')).body.limit_period).toBe('1')
  })
})

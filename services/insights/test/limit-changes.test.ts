import { sql } from 'kysely'
import { daysAgo, type Insights, openInsights, type Partner } from './insights.ts'
import { NO_PASSES, workOffChanges } from './work-off-changes.ts'

describe('limits of all users that the background has not come to yet', () => {
  let insights: Insights
  beforeAll(async () => {
    insights = await openInsights({ timing: NO_PASSES })
  })
  afterAll(async () => await insights.close())

  async function partnerAtLimit(): Promise<Partner> {
    const partner = await insights.partner()
    await partner.setDefault(10).expect(200)
    await partner.subscribe({ events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: insights.url }).expect(200)
    await insights.consume(partner.tasks('joe', 10))
    return partner
  }

  /** With a limit of 10 on its way to joe, who has consumed as much, and to ann, who has consumed 9. */
  async function partnerWithChange(): Promise<Partner> {
    const partner = await partnerAtLimit()
    await insights.consume(partner.tasks('ann', 9))
    await insights.db.deleteFrom('delivery').execute()
    await partner.setAll(100).expect(200)
    await workOffChanges(insights)
    await partner.setAll(10).expect(200)
    return partner
  }

  async function told(partner: Partner): Promise<[number, number, number][]> {
    const rows = await insights.db
      .selectFrom('delivery')
      .selectAll()
      .where('app_key', '=', partner.appKey)
      .orderBy('arm_seq')
      .orderBy('level')
      .orderBy('user_id')
      .orderBy('id')
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

  it('are told for the window of the time at which they were set, though it has ended since', async () => {
    const partner = await partnerWithChange()
    // Time passes: everything moves into the past, so that the windows ended a second ago.
    const over = sql`interval '720 hours 1 second'`
    await sql`update usage_user set anchor = anchor - ${over} where app_key = ${partner.appKey}`.execute(insights.db)
    await sql`update usage_period set starts_at = starts_at - ${over}, ends_at = ends_at - ${over} where app_key = ${partner.appKey}`.execute(
      insights.db,
    )
    await sql`update reevaluation set created_at = created_at - ${over} where partner_id = ${partner.workspaceId}`.execute(insights.db)
    await workOffChanges(insights)
    const notices = await told(partner)
    expect(new Set(notices.map(String))).toEqual(new Set(['80,9,10', '80,10,10', '100,10,10']))
    await insights.consume([...partner.tasks('ann', 1), ...partner.tasks('joe', 1)])
    await workOffChanges(insights)
    expect(await told(partner)).toEqual(notices)
  })

  it('are not told to a subscription that was made after them', async () => {
    const partner = await partnerWithChange()
    const { body } = await partner.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)
    await workOffChanges(insights)
    const rows = await insights.db
      .selectFrom('delivery')
      .select(['subscription_id', 'user_id'])
      .where('app_key', '=', partner.appKey)
      .execute()
    expect(new Set(rows.map((row) => row.user_id))).toEqual(new Set(['ann', 'joe']))
    expect(rows.map((row) => row.subscription_id)).not.toContain(body.subscription_id)
  })

  it.each<[string, (partner: Partner) => Promise<unknown>]>([
    ['of all users', async (partner) => await partner.setAll(10).expect(200)],
    ['of one user', async (partner) => await partner.setLimits([{ user_id: 'joe', allowed_tasks: 10 }]).expect(200)],
  ])('as a limit %s, are told for a window that lies ahead when they are set', async (_whose, lower) => {
    const partner = await insights.partner()
    await partner.subscribe({ events: ['user_tasks_limit_80'], callback_url: insights.url }).expect(200)
    // The second window begins in a minute; its tasks come from a clock that is ahead.
    await insights.consume(partner.tasks('joe', 1, new Date(+daysAgo(30) + 60_000)))
    await insights.consume(partner.tasks('joe', 9, new Date(Date.now() + 3 * 60_000)))
    await lower(partner)
    await workOffChanges(insights)
    expect(await told(partner)).toEqual([[80, 9, 10]])
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

import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { addLimitPeriod, lockApplication, readApplications } from '../src/db/applications.ts'
import { readNow } from '../src/db/now.ts'
import { lockPartner } from '../src/db/partners.ts'
import { setDaysFrom } from '../src/db/periods.ts'
import { lockUsersAhead } from '../src/db/users.ts'
import { windowAt } from '../src/usage/period.ts'
import { daysAgo, type Insights, openInsights, type Partner } from './insights.ts'

let insights: Insights
beforeAll(async () => {
  insights = await openInsights()
})
afterAll(async () => await insights.close())

const setPeriod = async ({ appKey, workspaceId }: Partner, limit_period: number) =>
  await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: workspaceId, limit_period }).expect(200)

async function daysOfWindows({ appKey }: Partner): Promise<number[]> {
  const rows = await insights.db.selectFrom('usage_period').select(['starts_at', 'ends_at']).where('app_key', '=', appKey).execute()
  return rows.map(({ starts_at, ends_at }) => (+ends_at - +starts_at) / 86_400_000)
}

describe('the limit period of an application', () => {
  it('keeps the current window of a user when its limit period changes', async () => {
    const partner = await insights.partner(10)
    await insights.consume(partner.tasks('joe', 2, daysAgo(3)))
    await insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, limit_period: 7 }).expect(200)
    await insights.consume(partner.tasks('ann', 1))
    expect((await partner.status('joe')).body).toMatchObject({ limit_period: '10', limit_reset_after: 7, tasks_consumed: 2 })
    expect((await partner.status('ann')).body).toMatchObject({ limit_period: '7', limit_reset_after: 7 })
  })

  it('gives a new user the length that is being set while the first task is counted', async () => {
    const partner = await insights.partner()
    const work: Promise<unknown>[] = []
    await insights.db.transaction().execute(async (tx) => {
      await lockPartner(tx, partner.workspaceId)
      work.push(setPeriod(partner, 7))
      await insights.waitsForLock(1)
      work.push(insights.consume(partner.tasks('new', 1)))
      await insights.waitsForLock(2)
    })
    await Promise.all(work)
    expect(await daysOfWindows(partner)).toEqual([7])
  })

  it('gives a window that lies ahead, and is being begun, the length that is set meanwhile', async () => {
    const partner = await insights.partner()
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    const work: Promise<unknown>[] = []
    await insights.whileUserIsLocked(partner.appKey, 'joe', 2, () => {
      work.push(insights.consume(partner.tasks('joe', 1, daysAgo(-2 / 1_440))))
      work.push(insights.waitsForLock(1).then(() => setPeriod(partner, 7)))
    })
    await Promise.all(work)
    expect(await daysOfWindows(partner)).toEqual([7])
  })

  it.each([
    ['its first, has the length set then', 0],
    ['another, keeps the length before', 30],
  ])('a window that begins in the moment of a change: %s', async (_which, daysSinceAnchor) => {
    const partner = await insights.partner()
    const { appKey } = partner
    await insights.consume(partner.tasks('joe', 1))
    const stored = await insights.db.transaction().execute(async (tx) => {
      const now = sql`date_trunc('milliseconds', now())`
      await sql`update usage_user set anchor = ${now} - ${daysSinceAnchor} * interval '24 hours' where app_key = ${appKey}`.execute(tx)
      await sql`update usage_period set starts_at = ${now}, ends_at = ${now} + interval '720 hours' where app_key = ${appKey}`.execute(tx)
      const users = await lockUsersAhead(tx, appKey)
      await setDaysFrom(tx, users, 7, await addLimitPeriod(tx, appKey, 7))
      const [application] = await readApplications(tx, [appKey])
      const right = windowAt(users[0]?.anchor as Date, application?.limitPeriods ?? [], await readNow(tx))
      return (+right.endsAt - +right.startsAt) / 86_400_000
    })
    expect(stored).toBe(daysSinceAnchor === 0 ? 7 : 30)
    expect(await daysOfWindows(partner)).toEqual([stored])
  })

  it('keeps its lengths in their order when a change that began earlier comes later', async () => {
    const { appKey } = await insights.partner()
    await insights.db.transaction().execute(async (early) => {
      const before = await readNow(early)
      await eventually(async () => expect(await readNow(insights.db)).not.toEqual(before))
      const from = await insights.db.transaction().execute(async (later) => await addLimitPeriod(later, appKey, 7))
      await lockApplication(early, appKey)
      expect(await addLimitPeriod(early, appKey, 10)).toEqual(from)
    })
  })

  it('that is told its limit period again keeps it', async () => {
    const partner = await insights.partner(10)
    for (const limit_period of [10, 10, 7, 7]) {
      await insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, limit_period }).expect(200)
    }
    const row = await insights.db
      .selectFrom('application')
      .select('limit_periods')
      .where('app_key', '=', partner.appKey)
      .executeTakeFirstOrThrow()
    expect(row.limit_periods.map((period) => period.days)).toEqual([10, 7])
    const { body } = await insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId }).expect(200)
    expect(body.limit_period).toBe(7)
  })
})

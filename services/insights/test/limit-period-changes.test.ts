import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { addLimitPeriod, lockApplication, readApplications } from '../src/db/applications.ts'
import { setDaysFrom } from '../src/db/periods.ts'
import { readNow } from '../src/db/tables.ts'
import { lockUsersAhead } from '../src/db/users.ts'
import { lockWorkspace } from '../src/db/workspaces.ts'
import { periodAt } from '../src/rules/period.ts'
import { daysAgo, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()

const setPeriod = async ({ appKey, id }: Workspace, limit_period: number) =>
  await insights.admin.put(`/admin/applications/${appKey}`, { workspace_id: id, limit_period }).expect(200)

async function daysOfWindows({ appKey }: Workspace): Promise<number[]> {
  const rows = await insights.db.selectFrom('usage_period').select(['starts_at', 'ends_at']).where('app_key', '=', appKey).execute()
  return rows.map(({ starts_at, ends_at }) => (+ends_at - +starts_at) / 86_400_000)
}

describe('the limit period of an application', () => {
  it('does not change the current period of a user', async () => {
    const workspace = await insights.workspace(10)
    await insights.consume(workspace.tasks('joe', 2, daysAgo(3)))
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period: 7 }).expect(200)
    await insights.consume(workspace.tasks('ann', 1))
    expect((await workspace.status('joe')).body).toMatchObject({ limit_period: '10', limit_reset_after: 7, tasks_consumed: 2 })
    expect((await workspace.status('ann')).body).toMatchObject({ limit_period: '7', limit_reset_after: 7 })
  })

  it('applies to a new user when it is set while the first task is counted', async () => {
    const workspace = await insights.workspace()
    const work: Promise<unknown>[] = []
    await insights.db.transaction().execute(async (tx) => {
      await lockWorkspace(tx, workspace.id)
      work.push(setPeriod(workspace, 7))
      await insights.waitsForLock(1)
      work.push(insights.consume(workspace.tasks('new', 1)))
      await insights.waitsForLock(2)
    })
    await Promise.all(work)
    expect(await daysOfWindows(workspace)).toEqual([7])
  })

  it('applies to a future period that begins while it is set', async () => {
    const workspace = await insights.workspace()
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    const work: Promise<unknown>[] = []
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 2, () => {
      work.push(insights.consume(workspace.tasks('joe', 1, daysAgo(-2 / 1_440))))
      work.push(insights.waitsForLock(1).then(() => setPeriod(workspace, 7)))
    })
    await Promise.all(work)
    expect(await daysOfWindows(workspace)).toEqual([7])
  })

  it.each([
    ['the first period of a user gets the new length', 0],
    ['a later period keeps the previous length', 30],
  ])('applies to a period that begins at the moment of a change: %s', async (_which, daysSinceAnchor) => {
    const workspace = await insights.workspace()
    const { appKey } = workspace
    await insights.consume(workspace.tasks('joe', 1))
    const stored = await insights.db.transaction().execute(async (tx) => {
      const now = sql`date_trunc('milliseconds', now())`
      await sql`update usage_user set anchor = ${now} - ${daysSinceAnchor} * interval '24 hours' where app_key = ${appKey}`.execute(tx)
      await sql`update usage_period set starts_at = ${now}, ends_at = ${now} + interval '720 hours' where app_key = ${appKey}`.execute(tx)
      const users = await lockUsersAhead(tx, appKey)
      await setDaysFrom(tx, users, 7, await addLimitPeriod(tx, appKey, 7))
      const [application] = await readApplications(tx, [appKey])
      const right = periodAt(users[0]?.anchor as Date, application?.limitPeriods ?? [], await readNow(tx))
      return (+right.endsAt - +right.startsAt) / 86_400_000
    })
    expect(stored).toBe(daysSinceAnchor === 0 ? 7 : 30)
    expect(await daysOfWindows(workspace)).toEqual([stored])
  })

  it('keeps its lengths in order when a change that began earlier commits later', async () => {
    const { appKey } = await insights.workspace()
    await insights.db.transaction().execute(async (early) => {
      const before = await readNow(early)
      await eventually(async () => expect(await readNow(insights.db)).not.toEqual(before))
      const from = await insights.db.transaction().execute(async (later) => await addLimitPeriod(later, appKey, 7))
      await lockApplication(early, appKey)
      expect(await addLimitPeriod(early, appKey, 10)).toEqual(from)
    })
  })

  it('does not change when the same length is set again', async () => {
    const workspace = await insights.workspace(10)
    for (const limit_period of [10, 10, 7, 7]) {
      await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, limit_period }).expect(200)
    }
    const row = await insights.db
      .selectFrom('application')
      .select('limit_periods')
      .where('app_key', '=', workspace.appKey)
      .executeTakeFirstOrThrow()
    expect(row.limit_periods.map((period) => period.days)).toEqual([10, 7])
    const { body } = await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id }).expect(200)
    expect(body.limit_period).toBe(7)
  })
})

import { sql } from 'kysely'
import { insertUsers, setOwnLimits } from '../src/db/users.ts'
import { lockWorkspace, nextLimitSeq } from '../src/db/workspaces.ts'
import { NO_BACKGROUND } from './insights.ts'
import { useInsights } from './use-insights.ts'

describe('a limit change', () => {
  const insights = useInsights({ env: NO_BACKGROUND })

  it('waits for a transaction that is creating a user, and applies to this user', async () => {
    const workspace = await insights.workspace()
    const work: Promise<unknown>[] = []
    await insights.db.transaction().execute(async (tx) => {
      // The task's transaction waits to insert the same user.
      await insertUsers(tx, [{ appKey: workspace.appKey, userId: 'new', ownLimit: 10, limitSeq: 0 }])
      work.push(insights.consume(workspace.tasks('new', 1)))
      await insights.waitsForLock(1)
      work.push(workspace.setAll(5).expect(200).then())
      await insights.waitsForLock(2)
    })
    await Promise.all(work)
    expect((await workspace.status('new')).body).toMatchObject({ current_limit: 5, tasks_consumed: 1 })
  })

  it('leaves a newer limit of a user alone that is set while its page of users is read', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 1))
    await workspace.setAll(10).expect(200)
    const work: Promise<unknown>[] = []
    await insights.db.transaction().execute(async (tx) => {
      const { limitSeq } = await nextLimitSeq(tx, workspace.id)
      await setOwnLimits(tx, [{ appKey: workspace.appKey, userId: 'joe', ownLimit: 1_000, limitSeq }])
      work.push(insights.applyLimitChanges())
      await insights.waitsForLock(1)
    })
    await Promise.all(work)
    expect((await workspace.status('joe')).body.current_limit).toBe(1_000)
  })

  it('has the time at which it got the lock of the workspace, not the time at which it began to wait', async () => {
    const workspace = await insights.workspace()
    await insights.applyLimitChanges()
    const work: Promise<unknown>[] = []
    const waitedUntil = await insights.db.transaction().execute(async (tx) => {
      await lockWorkspace(tx, workspace.id)
      work.push(workspace.setAll(5).expect(200).then())
      await insights.waitsForLock(1)
      const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(tx)
      return rows[0]?.at
    })
    await Promise.all(work)
    const { rows } = await sql`
      select created_at > ${waitedUntil}::timestamptz as later from limit_change where workspace_id = ${workspace.id}`.execute(insights.db)
    expect(rows).toEqual([{ later: true }])
  })
})

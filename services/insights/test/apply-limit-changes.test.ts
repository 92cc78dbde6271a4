import { sql } from 'kysely'
import { deleteLimitChanges, lockProgress, type Progress, pickLimitChange, saveProgress } from '../src/db/limit-changes.ts'
import { NO_BACKGROUND, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

describe('pending limit changes', () => {
  const insights = useInsights({ env: NO_BACKGROUND })

  /** Creates a workspace without pending limit changes. */
  async function workspaceWithoutChanges(): Promise<Workspace> {
    const workspace = await insights.workspace()
    await insights.db.deleteFrom('limit_change').execute()
    return workspace
  }

  const pendingOf = async ({ id }: Workspace) =>
    (await insights.db.selectFrom('limit_change').select('limit_seq').where('workspace_id', '=', id).orderBy('id').execute()).map(
      ({ limit_seq }) => limit_seq,
    )

  /** Picks a limit change and saves its progress, as the background work does for one page of users. */
  async function beginPage(userId: string): Promise<Progress | undefined> {
    const id = await pickLimitChange(insights.db, [])
    if (id === undefined) return undefined
    return await insights.db.transaction().execute(async (tx) => {
      const progress = await lockProgress(tx, id)
      if (progress !== undefined) await saveProgress(tx, progress.id, { appKey: 'a', userId })
      return progress
    })
  }

  it('are applied together with those that were pending when the first page began', async () => {
    const workspace = await workspaceWithoutChanges()
    for (const limit of [5, 6, 7]) await workspace.setAll(limit).expect(200)
    const first = await beginPage('u1')
    await workspace.setAll(8).expect(200)
    const second = await beginPage('u2')
    const pending = await pendingOf(workspace)
    expect([first?.after.userId, second?.after.userId, second?.lastSeq]).toEqual(['', 'u1', pending[2]])
    await insights.db.transaction().execute(async (tx) => await deleteLimitChanges(tx, second as Progress))
    expect(await pendingOf(workspace)).toEqual(pending.slice(3))
    const next = await beginPage('u1')
    expect([next?.after.userId, next?.lastSeq]).toEqual(['', pending[3]])
  })

  it('take turns with those of other workspaces', async () => {
    const busy = await insights.workspace()
    const other = await workspaceWithoutChanges()
    for (const limit of [5, 6]) await busy.setAll(limit).expect(200)
    await other.setAll(5).expect(200)
    // Like a page that fails: only the pick is committed.
    await pickLimitChange(insights.db, [])
    const pages = [await beginPage('u1'), await beginPage('u1'), await beginPage('u2'), await beginPage('u2')]
    expect(pages.map((progress) => progress?.workspaceId)).toEqual([other, busy, other, busy].map(({ id }) => id))
  })

  it('are skipped while another process works on them', async () => {
    const one = await insights.workspace()
    const other = await workspaceWithoutChanges()
    for (const limit of [5, 6]) await one.setAll(limit).expect(200)
    await other.setAll(5).expect(200)
    const id = (await pickLimitChange(insights.db, [])) as string
    await insights.db.transaction().execute(async (tx) => {
      expect((await lockProgress(tx, id))?.workspaceId).toBe(one.id)
      expect(await insights.db.transaction().execute(async (also) => await lockProgress(also, id))).toBeUndefined()
      expect((await beginPage('u1'))?.workspaceId).toBe(other.id)
    })
  })

  it('are applied although those of another workspace fail, which are tried again', async () => {
    const failing = await insights.workspace()
    const other = await workspaceWithoutChanges()
    for (const workspace of [failing, other]) {
      await workspace.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:9/' }).expect(200)
      await insights.consume(workspace.tasks('joe', 9))
      await workspace.setAll(10).expect(200)
    }
    await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(insights.db)
    await sql`create trigger fail before insert on delivery for each row when (new.app_key = ${sql.lit(failing.appKey)})
      execute function fail()`.execute(insights.db)
    try {
      await expect(insights.applyLimitChanges()).rejects.toThrow('no')
      expect([await pendingOf(other), await pendingOf(failing)]).toEqual([[], [expect.any(String)]])
    } finally {
      await sql`drop function fail cascade`.execute(insights.db)
    }
    await insights.applyLimitChanges()
    const rows = await insights.db.selectFrom('delivery').select(['app_key', 'level']).orderBy('app_key').execute()
    expect(rows).toEqual([failing, other].map(({ appKey }) => ({ app_key: appKey, level: 80 })))
  })

  it('are at most 100: one more is answered 429 and changes nothing', async () => {
    const workspace = await workspaceWithoutChanges()
    await workspace.setAll(5).expect(200)
    await sql`insert into limit_change (workspace_id, task_limit, limit_seq)
      select ${workspace.id}, 5, n from generate_series(2, 99) n`.execute(insights.db)
    await workspace.setAll(6).expect(200)
    const { body, headers } = await workspace.setAll(7).expect(429)
    expect([body.code, headers['retry-after']]).toEqual(['too_many_changes', '5'])
    const row = await insights.db.selectFrom('workspace').select('bulk_limit').where('id', '=', workspace.id).executeTakeFirst()
    expect(row?.bulk_limit).toBe('6')
  })

  it('keep the bulk limit of a user when the settings of the application change', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 1))
    await workspace.setAll(7).expect(200)
    // The bulk limit was not written to the user yet.
    await insights.db.deleteFrom('limit_change').execute()
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, on_limit: 'block' }).expect(200)
    await insights.consume(workspace.tasks('joe', 1))
    expect((await workspace.status('joe')).body.current_limit).toBe(7)
  })
})

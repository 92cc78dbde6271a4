import { sql } from 'kysely'
import { endPass, movePass, type Pass, takePass, takeTurn } from '../src/db/reevaluations.ts'
import { type Insights, openInsights, type Partner } from './insights.ts'
import { NO_PASSES, workOffChanges } from './work-off-changes.ts'

describe("changes on their way to a partner's users", () => {
  let insights: Insights
  beforeAll(async () => {
    insights = await openInsights({ timing: NO_PASSES })
  })
  afterAll(async () => await insights.close())

  /** A new partner, whose making left no change. */
  async function settled(): Promise<Partner> {
    const partner = await insights.partner()
    await insights.db.deleteFrom('reevaluation').execute()
    return partner
  }

  const pendingOf = async ({ workspaceId }: Partner) =>
    (await insights.db.selectFrom('reevaluation').select('limit_seq').where('partner_id', '=', workspaceId).orderBy('id').execute()).map(
      ({ limit_seq }) => limit_seq,
    )

  /** Takes a pass and moves it, as one page of users does. */
  async function turn(userId: string): Promise<Pass | undefined> {
    const id = await takeTurn(insights.db, [])
    if (id === undefined) return undefined
    return await insights.db.transaction().execute(async (tx) => {
      const pass = await takePass(tx, id)
      if (pass !== undefined) await movePass(tx, pass.id, { appKey: 'a', userId })
      return pass
    })
  }

  it('share a pass, which ends those that were there when it began', async () => {
    const partner = await settled()
    for (const limit of [5, 6, 7]) await partner.setAll(limit).expect(200)
    const first = await turn('u1')
    await partner.setAll(8).expect(200)
    const second = await turn('u2')
    const pending = await pendingOf(partner)
    expect([first?.after.userId, second?.after.userId, second?.passSeq]).toEqual(['', 'u1', pending[2]])
    await insights.db.transaction().execute(async (tx) => await endPass(tx, second as Pass))
    expect(await pendingOf(partner)).toEqual(pending.slice(3))
    const next = await turn('u1')
    expect([next?.after.userId, next?.passSeq]).toEqual(['', pending[3]])
  })

  it('take turns with those of other partners', async () => {
    const busy = await insights.partner()
    const other = await settled()
    for (const limit of [5, 6]) await busy.setAll(limit).expect(200)
    await other.setAll(5).expect(200)
    // Of a page that fails only the turn is left.
    await takeTurn(insights.db, [])
    const turns = [await turn('u1'), await turn('u1'), await turn('u2'), await turn('u2')]
    expect(turns.map((pass) => pass?.partnerId)).toEqual([other, busy, other, busy].map(({ workspaceId }) => workspaceId))
  })

  it('are left to whoever has them in hand', async () => {
    const one = await insights.partner()
    const other = await settled()
    for (const limit of [5, 6]) await one.setAll(limit).expect(200)
    await other.setAll(5).expect(200)
    const id = (await takeTurn(insights.db, [])) as string
    await insights.db.transaction().execute(async (tx) => {
      expect((await takePass(tx, id))?.partnerId).toBe(one.workspaceId)
      expect(await insights.db.transaction().execute(async (also) => await takePass(also, id))).toBeUndefined()
      expect((await turn('u1'))?.partnerId).toBe(other.workspaceId)
    })
  })

  it('go on beside those that fail, which are tried again', async () => {
    const failing = await insights.partner()
    const other = await settled()
    for (const partner of [failing, other]) {
      await partner.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:9/' }).expect(200)
      await insights.consume(partner.tasks('joe', 9))
      await partner.setAll(10).expect(200)
    }
    await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end'`.execute(insights.db)
    await sql`create trigger fail before insert on delivery for each row when (new.app_key = ${sql.lit(failing.appKey)})
      execute function fail()`.execute(insights.db)
    try {
      await expect(workOffChanges(insights)).rejects.toThrow('no')
      expect([await pendingOf(other), await pendingOf(failing)]).toEqual([[], [expect.any(String)]])
    } finally {
      await sql`drop function fail cascade`.execute(insights.db)
    }
    await workOffChanges(insights)
    const rows = await insights.db.selectFrom('delivery').select(['app_key', 'level']).orderBy('app_key').execute()
    expect(rows).toEqual([failing, other].map(({ appKey }) => ({ app_key: appKey, level: 80 })))
  })

  it('are 100 at most; one more is answered 429, and changes nothing', async () => {
    const partner = await settled()
    await partner.setAll(5).expect(200)
    await sql`insert into reevaluation (partner_id, task_limit, limit_seq)
      select ${partner.workspaceId}, 5, n from generate_series(2, 99) n`.execute(insights.db)
    await partner.setAll(6).expect(200)
    const { body, headers } = await partner.setAll(7).expect(429)
    expect([body.code, headers['retry-after']]).toEqual(['too_many_changes', '5'])
    const row = await insights.db.selectFrom('partner').select('bulk_limit').where('id', '=', partner.workspaceId).executeTakeFirst()
    expect(row?.bulk_limit).toBe('6')
  })

  it('keep the limit of all under which a user was when its application changes', async () => {
    const partner = await insights.partner()
    await insights.consume(partner.tasks('joe', 1))
    await partner.setAll(7).expect(200)
    // As a version left it that did not write the limit of all to each user.
    await insights.db.deleteFrom('reevaluation').execute()
    await insights.admin.put(`/admin/applications/${partner.appKey}`, { workspace_id: partner.workspaceId, on_limit: 'block' }).expect(200)
    await insights.consume(partner.tasks('joe', 1))
    expect((await partner.status('joe')).body.current_limit).toBe(7)
  })
})

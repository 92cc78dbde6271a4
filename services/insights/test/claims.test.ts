import { openDatabase, uuidv7 } from '@onward/runtime'
import { eventually, openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { failPending, listPendingSubscriptions } from '../src/db/deliveries.ts'
import { type Attempt, claimDeliveries, findInactive, findOverdue, recordAttempts } from '../src/db/delivery-attempts.ts'
import { insertSubscription } from '../src/db/subscriptions.ts'
import type { Db, Tables } from '../src/db/tables.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'
const CLAIM_MS = 30_000
const byText = (a: string, b: string) => (a < b ? -1 : 1)

describe('deliveries', () => {
  let suite: Suite
  let db: Db
  beforeAll(async () => {
    suite = await openSuite('insights')
    db = openDatabase<Tables>(suite.databaseUrl, 4)
    await db.insertInto('workspace').values({ id: 'p', name: 'P' }).execute()
  })
  afterEach(async () => {
    await db.deleteFrom('delivery').execute()
    await db.deleteFrom('subscription').execute()
  })
  afterAll(async () => {
    await db.destroy()
    await suite.close()
  })

  async function subscribed(deliveries: number): Promise<string> {
    const id = crypto.randomUUID()
    await insertSubscription(db, {
      id,
      workspaceId: 'p',
      events: ['user_tasks_limit_80'],
      callbackUrl: 'https://a.example',
      sealedSecret: Buffer.of(1),
    })
    await sql`
      insert into delivery (id, subscription_id, app_key, user_id, period_start, level, times_lowered, kind, payload, next_attempt_at)
      select gen_random_uuid(), ${id}::uuid, 'a', 'user-' || n, 'epoch', 80, 0, 'user_tasks_limit_80', '{}', now() - n * interval '1 second'
      from generate_series(1, ${deliveries}::int) n`.execute(db)
    return id
  }
  const claim = async (subscriptionId: string, room: number) => await claimDeliveries(db, [{ subscriptionId, room }], CLAIM_MS)
  const one = async (subscriptionId: string) =>
    await db.selectFrom('delivery').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirstOrThrow()
  const numbers = async (deliveryId: string) =>
    (
      await db.selectFrom('delivery_attempt').select(['number', 'status']).where('delivery_id', '=', deliveryId).orderBy('number').execute()
    ).map(({ number, status }) => [number, status])
  const attempt = (deliveryId: string, outcome: Attempt['outcome'], number = 1): Attempt => ({
    deliveryId,
    number,
    startedAt: new Date(),
    durationMs: 1,
    status: outcome === 'delivered' ? 200 : 500,
    failure: null,
    response: null,
    outcome,
    delayMs: 0,
  })

  it('are claimed by only one of many concurrent requests, those due longest first', async () => {
    const id = await subscribed(100)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(id, 10)))
    const ids = claims.flat().map((each) => each.id)
    expect(ids).toHaveLength(80)
    expect(new Set(ids).size).toBe(80)
    const left = await db.selectFrom('delivery').select('user_id').where('claimed_until', 'is', null).execute()
    expect(new Set(left.map((row) => row.user_id))).toEqual(new Set(Array.from({ length: 20 }, (_, i) => `user-${i + 1}`)))
  })

  it('are claimed for many subscriptions in one request, up to the room of each', async () => {
    const ids = [await subscribed(3), await subscribed(10), await subscribed(0)]
    const claimed = await claimDeliveries(
      db,
      ids.map((subscriptionId) => ({ subscriptionId, room: 5 })),
      CLAIM_MS,
    )
    expect(ids.map((id) => claimed.filter((each) => each.subscriptionId === id).length)).toEqual([3, 5, 0])
  })

  it('are claimed again after a claim has ended, but not before they are due', async () => {
    const id = await subscribed(1)
    expect(await claim(id, 1)).toHaveLength(1)
    expect(await claim(id, 1)).toEqual([])
    await db.updateTable('delivery').set({ claimed_until: sql<Date>`now() - interval '1 ms'` }).execute()
    expect(await claim(id, 1)).toHaveLength(1)
    await db.updateTable('delivery').set({ claimed_until: null, next_attempt_at: sql<Date>`now() + interval '1 hour'` }).execute()
    expect(await claim(id, 1)).toEqual([])
  })

  it('are not claimed for a disabled subscription', async () => {
    const id = await subscribed(1)
    await db.updateTable('subscription').set({ disabled_at: new Date() }).execute()
    expect(await claim(id, 1)).toEqual([])
  })

  it('have an attempt recorded once when two processes made it', async () => {
    const id = await subscribed(1)
    const delivery = await one(id)
    await Promise.all([recordAttempts(db, [attempt(delivery.id, 'retry')]), recordAttempts(db, [attempt(delivery.id, 'retry')])])
    expect(await numbers(delivery.id)).toEqual([[1, 500]])
    expect((await one(id)).attempts).toBe(1)
  })

  it('are delivered by an attempt that another process overtook; it is recorded as the next one', async () => {
    const id = await subscribed(1)
    const delivery = await one(id)
    await recordAttempts(db, [attempt(delivery.id, 'retry')])
    await recordAttempts(db, [attempt(delivery.id, 'delivered')])
    await recordAttempts(db, [attempt(delivery.id, 'failed', 2)])
    expect(await numbers(delivery.id)).toEqual([
      [1, 500],
      [2, 200],
    ])
    expect(await one(id)).toMatchObject({ attempts: 2, failed_at: null, delivered_at: expect.any(Date) })
  })

  it('stay given up after an attempt that was in flight, unless it delivers', async () => {
    const id = await subscribed(2)
    await db.updateTable('subscription').set({ disabled_at: new Date(), disabled_reason: 'for a reason' }).execute()
    await failPending(db, id, 10)
    const [a, b] = await db.selectFrom('delivery').select('id').execute()
    await recordAttempts(db, [attempt(a?.id ?? '', 'retry'), attempt(b?.id ?? '', 'delivered')])
    const rows = new Map((await db.selectFrom('delivery').selectAll().execute()).map((row) => [row.id, row]))
    expect(rows.get(a?.id ?? '')).toMatchObject({
      failed_at: expect.any(Date),
      failed_reason: 'the subscription was disabled: for a reason',
      attempts: 1,
    })
    expect(rows.get(b?.id ?? '')).toMatchObject({ failed_at: null, failed_reason: null, delivered_at: expect.any(Date) })
  })

  it('stay pending and are claimed again when their subscription is enabled while they are being marked as failed', async () => {
    const id = await subscribed(10)
    const setDisabled = (at: Date | null, on: Db) => on.updateTable('subscription').set({ disabled_at: at }).where('id', '=', id).execute()
    await setDisabled(new Date(), db)
    expect(await failPending(db, id, 4)).toBe(4)
    const pages: Promise<number>[] = []
    await db.transaction().execute(async (tx) => {
      await setDisabled(null, tx)
      pages.push(failPending(db, id, 4))
      await eventually(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
        expect(rows).toHaveLength(1)
      })
    })
    expect(await Promise.all(pages)).toEqual([0])
    expect(await claim(id, 10)).toHaveLength(6)
  })

  it('are found by subscription when they are overdue, however many there are', async () => {
    const due = [await subscribed(1_000), await subscribed(1)].sort(byText)
    await subscribed(0)
    const orphan = uuidv7()
    await db.updateTable('delivery').set({ subscription_id: orphan }).where('user_id', '=', 'user-7').execute()
    const pending = await listPendingSubscriptions(db, NOBODY, 10)
    expect(pending).toEqual([...due, orphan].sort(byText))
    expect(await findOverdue(db, 0, pending)).toEqual(due)
    expect(await findOverdue(db, 2_000_000, pending)).toEqual([])
    expect(await findInactive(db, pending)).toEqual([orphan])
    await claimDeliveries(
      db,
      due.map((id) => ({ subscriptionId: id, room: 1_000 })),
      CLAIM_MS,
    )
    expect(await findOverdue(db, 0, pending)).toEqual([])
    await db
      .updateTable('subscription')
      .set({ disabled_at: new Date() })
      .where('id', '=', due[0] ?? '')
      .execute()
    expect(await findInactive(db, pending)).toEqual([due[0] ?? '', orphan].sort(byText))
  })

  it('are found in pages of subscriptions, each with a few lookups however many subscriptions there are', async () => {
    await sql`
      insert into delivery (id, subscription_id, app_key, user_id, kind, payload)
      select gen_random_uuid(), gen_random_uuid(), 'a', 'joe', 'user_tasks_limit_80', '{}' from generate_series(1, 300)`.execute(db)
    const all = await listPendingSubscriptions(db, NOBODY, 1_000)
    expect(all).toHaveLength(300)
    await db.transaction().execute(async (tx) => {
      const lookups = async () => {
        const { rows } = await sql<{ lookups: number }>`
          select (seq_scan + idx_scan)::int as lookups from pg_stat_xact_user_tables where relname = 'delivery'`.execute(tx)
        return rows[0]?.lookups ?? 0
      }
      const before = await lookups()
      expect(await listPendingSubscriptions(tx, all[9] ?? '', 5)).toEqual(all.slice(10, 15))
      const used = (await lookups()) - before
      expect([used > 0, used < 10]).toEqual([true, true])
    })
  })
})

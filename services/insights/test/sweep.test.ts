import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, attemptsOf, subscriptionOf, delivered, failed, makeDue } = webhooks

describe('the sweep', () => {
  it('finds deliveries whose queue job was lost', async () => {
    const { workspace, id } = await subscribed()
    const times: number[] = []
    webhooks.receiver.respond((_received, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 503 : 200, { 'retry-after': '60' }).end()
    })
    const before = await insights.metric('webhook_requeues_total')
    await reachLimit(workspace)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await insights.loseDeliveryJobs()
    await makeDue(id)
    await delivered(id)
    expect(times).toHaveLength(2)
    expect(await insights.metric('webhook_requeues_total')).toBeGreaterThan(before)
  })

  it('finds a delivery whose process died during an attempt', async () => {
    const { workspace, id } = await subscribed()
    await insights.stop()
    const { id: subscriptionId } = await subscriptionOf(id)
    await insights.db
      .insertInto('delivery')
      .values({
        id: crypto.randomUUID(),
        subscription_id: subscriptionId,
        app_key: workspace.appKey,
        user_id: 'joe',
        period_start: new Date(),
        level: 100,
        times_lowered: 0,
        kind: 'user_tasks_limit_100',
        payload: '{}',
        claimed_until: new Date(Date.now() + 500),
      })
      .execute()
    await insights.restart()
    await delivered(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })

  it('gives up deliveries that were created while their subscription was deleted', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reachLimit(workspace)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await insights.db.deleteFrom('subscription').where('id', '=', id).execute()
    await makeDue(id)
    await failed(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })
})

describe('the pending deliveries of an inactive subscription', () => {
  /** More than two pages. */
  const PENDING = 2_500

  /** Inserts pending deliveries that are not due for an hour. */
  const insertPending = async (subscriptionId: string) =>
    await sql`
      insert into delivery (id, subscription_id, app_key, user_id, kind, payload, next_attempt_at)
      select gen_random_uuid(), ${subscriptionId}::uuid, 'a', 'user-' || n, 'user_tasks_limit_100', '{}', now() + interval '1 hour'
      from generate_series(1, ${PENDING}::int) n`.execute(insights.db)
  const countPending = async (subscriptionId: string) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from delivery
      where subscription_id = ${subscriptionId} and delivered_at is null and failed_at is null`.execute(insights.db)
    return rows[0]?.count
  }
  /** Calls `work` while another transaction has locked one of the deliveries. */
  async function whileOneIsLocked(subscriptionId: string, work: () => Promise<void>): Promise<void> {
    await insights.db.transaction().execute(async (tx) => {
      await sql`select from delivery where subscription_id = ${subscriptionId} and user_id = 'user-7' for update`.execute(tx)
      await work()
    })
  }

  it('fail page by page after the subscription was deleted, which waits for none of them', async () => {
    const { workspace, id } = await subscribed()
    await insertPending(id)
    await whileOneIsLocked(id, async () => {
      await workspace.unsubscribe(id).expect(200)
      await eventually(async () => expect(await countPending(id)).toBe(1))
    })
    await eventually(async () => expect(await countPending(id)).toBe(0))
    expect((await webhooks.deliveryOf(id)).failed_reason).toBe('the subscription was deleted')
  })

  it('fail page by page after a receiver answered 410, which waits for none of them', async () => {
    const { workspace, id } = await subscribed()
    await insertPending(id)
    webhooks.receiver.respond((_received, response) => sendJson(response, 410, {}))
    await whileOneIsLocked(id, async () => {
      await reachLimit(workspace)
      await eventually(async () => expect(await countPending(id)).toBe(1))
    })
    await eventually(async () => expect(await countPending(id)).toBe(0))
    expect(webhooks.receiver.received).toHaveLength(1)
    const { rows } = await sql<{ reason: string; count: number }>`
      select failed_reason as reason, count(*)::int as count from delivery where subscription_id = ${id} group by 1 order by 2`.execute(
      insights.db,
    )
    expect(rows).toEqual([
      { reason: 'the receiver answered 410 Gone', count: 1 },
      { reason: 'the subscription was disabled: the receiver answered 410 Gone', count: PENDING },
    ])
  })

  it('fail after a page of subscriptions that are active', async () => {
    const { id } = await subscribed()
    const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
    await sql`
      with copied as (
        insert into subscription
        select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).* from subscription s, generate_series(1, 500)
        where s.id = ${id} returning id
      )
      insert into delivery (id, subscription_id, app_key, user_id, kind, payload, next_attempt_at)
      select gen_random_uuid(), id, 'a', 'joe', 'user_tasks_limit_100', '{}', now() + interval '1 hour'
      from (select id from copied union all select ${last}::uuid) each`.execute(insights.db)
    await eventually(async () => expect(await countPending(last)).toBe(0))
  })
})

import { eventually } from '@onward/testbed'
import { ATTEMPTS, isError } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, receives, deliveryOf, delivered, failed } = webhooks
type Subscribed = Awaited<ReturnType<typeof subscribed>>

const PATH = '/partners/api/insights'
const replay = ({ workspace }: Pick<Subscribed, 'workspace'>, deliveryId: string) =>
  workspace.send('post', `${PATH}/deliveries/${deliveryId}/replay/`)
const listed = async ({ workspace, id }: Subscribed) =>
  (await workspace.send('get', `${PATH}/subscriptions/${id}/deliveries/`)).body.deliveries
const idOf = async ({ id }: Subscribed) => (await deliveryOf(id)).id
const answer = (status: number, headers: Record<string, string> = {}) =>
  webhooks.receiver.respond((_received, response) => void response.writeHead(status, headers).end())

function expectSameBytes(): void {
  const { received } = webhooks.receiver
  expect(new Set(received.map((hook) => hook.body)).size).toBe(1)
  expect(new Set(received.map((hook) => hook.headers['webhook-id'])).size).toBe(1)
}

const sendPending = ({ workspace, id }: Subscribed) =>
  insights.admin.post(`/admin/workspaces/${workspace.id}/subscriptions/${id}/send-pending`)
const health = async ({ workspace }: Subscribed) =>
  (await insights.admin.get(`/admin/workspaces/${workspace.id}/subscription-health`).expect(200)).body.subscriptions[0].hours[0]

describe('POST /admin/workspaces/<id>/subscriptions/<id>/send-pending', () => {
  it('sends the deliveries that wait for a retry at once, and does not end their schedules', async () => {
    const one = await subscribed()
    answer(503, { 'retry-after': '3600' })
    await reachLimit(one.workspace)
    await eventually(async () => expect((await listed(one))[0]?.attempts).toHaveLength(1))
    expect(await health(one)).toMatchObject({ delivered: 0, failed: 0, pending: 1, retrying: 1 })
    expect((await sendPending(one).expect(200)).body).toEqual({ deliveries: 1 })
    await eventually(async () => expect((await listed(one))[0]?.attempts).toHaveLength(2))
    answer(200)
    await sendPending(one).expect(200)
    await delivered(one.id)
    expect((await sendPending(one).expect(200)).body).toEqual({ deliveries: 0 })
    expectSameBytes()
  })

  it('refuses a subscription that is disabled, unknown or of another workspace', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    expect((await sendPending({ ...one, workspace: other.workspace }).expect(404)).body.code).toBe('subscription_not_found')
    await one.workspace.send('post', `${PATH}/subscriptions/${one.id}/disable`).expect(200)
    expect((await sendPending(one).expect(409)).body.code).toBe('subscription_disabled')
  })
})

describe('POST deliveries/<id>/replay', () => {
  it('sends a delivered webhook again with the same id and bytes', async () => {
    const one = await subscribed()
    await reachLimit(one.workspace)
    await delivered(one.id)
    const id = await idOf(one)
    expect((await replay(one, id).expect(200)).body).toEqual({ delivery_id: id })
    await receives(2)
    await delivered(one.id)
    expect((await replay(one, id.toUpperCase()).expect(200)).body).toEqual({ delivery_id: id })
    await receives(3)
    expectSameBytes()
    await eventually(async () => {
      const [{ status, attempts }] = await listed(one)
      expect([status, attempts.map((attempt: { number: number }) => attempt.number)]).toEqual(['delivered', [1, 2, 3]])
    })
  })

  it('gives a failed delivery the whole schedule again', async () => {
    const one = await subscribed()
    answer(500)
    await reachLimit(one.workspace)
    await failed(one.id)
    expect((await sendPending(one).expect(200)).body).toEqual({ deliveries: 0 })
    answer(503, { 'retry-after': '1' })
    await replay(one, await idOf(one)).expect(200)
    expect((await listed(one))[0]).toMatchObject({ status: 'pending', failed_at: null, failed_reason: null })
    answer(500)
    await failed(one.id)
    expect((await listed(one))[0].attempts).toHaveLength(2 * ATTEMPTS)
    expect(webhooks.receiver.received).toHaveLength(2 * ATTEMPTS)
    expectSameBytes()
  })

  it('sends a waiting delivery at once', async () => {
    const one = await subscribed()
    answer(503, { 'retry-after': '3600' })
    await reachLimit(one.workspace)
    await eventually(async () => expect((await listed(one))[0]?.attempts).toHaveLength(1))
    answer(200)
    await replay(one, await idOf(one)).expect(200)
    await delivered(one.id)
    expect(webhooks.receiver.received).toHaveLength(2)
  })

  it('is not ended by an attempt that is in flight', async () => {
    const one = await subscribed()
    await reachLimit(one.workspace)
    await delivered(one.id)
    // The last attempt of the schedule is in flight.
    await insights.stop()
    await insights.db
      .updateTable('delivery')
      .set({ attempts: ATTEMPTS - 1, delivered_at: null })
      .where('subscription_id', '=', one.id)
      .execute()
    const fail: (() => void)[] = []
    webhooks.receiver.respond((_received, response) => void fail.push(() => response.writeHead(500).end()))
    await insights.restart()
    await receives(2)
    await replay(one, await idOf(one)).expect(200)
    await receives(3)
    fail[0]?.()
    await eventually(async () => expect(await insights.metric('webhook_attempts_total')).toBeGreaterThan(0))
    answer(200)
    fail[1]?.()
    await delivered(one.id)
    expectSameBytes()
  })

  it('is refused while the subscription is disabled, and sends given-up deliveries after it was enabled', async () => {
    const one = await subscribed()
    answer(410)
    await reachLimit(one.workspace)
    await failed(one.id)
    const id = await idOf(one)
    const disabled = {
      error: 'the subscription is disabled; enable it first',
      error_details: [],
      code: 'subscription_disabled',
    }
    await replay(one, id).expect(409).expect(isError(disabled))
    await one.workspace.send('post', `${PATH}/subscriptions/${one.id}/test/`).expect(409).expect(isError(disabled))
    answer(200)
    await one.workspace.send('post', `${PATH}/subscriptions/${one.id}/enable/`).expect(200)
    expect((await deliveryOf(one.id)).failed_at).not.toBeNull()
    await replay(one, id).expect(200)
    await delivered(one.id)
    expect(webhooks.receiver.received).toHaveLength(2)
    expectSameBytes()
  })

  it('is refused when the subscription is disabled at the same time', async () => {
    const one = await subscribed()
    await reachLimit(one.workspace)
    await delivered(one.id)
    const id = await idOf(one)
    const { db } = insights
    const asked: Promise<{ status: number }>[] = []
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('subscription').set({ disabled_at: new Date() }).where('id', '=', one.id).execute()
      asked.push(replay(one, id).then(), one.workspace.send('post', `${PATH}/subscriptions/${one.id}/test/`).then())
      await insights.waitsForLock(2)
    })
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([409, 409])
    expect(await listed(one)).toMatchObject([{ status: 'delivered' }])
  })

  it("answers alike for another workspace's delivery, an unknown one, and one of a deleted subscription", async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    await reachLimit(other.workspace)
    await delivered(other.id)
    const id = await idOf(other)
    const notFound = { error: 'there is no such delivery', error_details: [], code: 'delivery_not_found' }
    for (const foreign of [id, '5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e', other.id, 'not-a-uuid', '%00', `${id}%00`]) {
      await replay(one, foreign).expect(404).expect(isError(notFound))
    }
    await other.workspace.unsubscribe(other.id).expect(200)
    await replay(other, id).expect(404).expect(isError(notFound))
    expect(webhooks.receiver.received).toHaveLength(1)
  })
})

describe('POST subscriptions/<id>/test', () => {
  it('sends a signed test delivery with the eight fields', async () => {
    const one = await subscribed(['user_tasks_limit_95', 'user_tasks_limit_80'])
    const { body } = await one.workspace.send('post', `${PATH}/subscriptions/${one.id}/test/`).expect(200)
    await delivered(one.id)
    const [hook] = webhooks.receiver.received
    expect(hook?.headers).toMatchObject({
      'onward-test': 'true',
      'event-name': 'user_tasks_limit_95',
      'subscription-id': one.id,
      'webhook-id': body.delivery_id,
    })
    expect(hook?.headers).not.toHaveProperty('app-key')
    const sent = JSON.parse(hook?.body ?? '')
    expect(sent).toEqual({
      user_id: 'test@example.com',
      current_limit: 1000,
      limit_period: '30',
      tasks_consumed: 950,
      tasks_remaining: 50,
      tasks_consumed_percent: 95,
      tasks_remaining_percent: 5,
      limit_reset_after: 30,
    })
    expect((await listed(one))[0]).toMatchObject({
      delivery_id: body.delivery_id,
      test: true,
      app_key: null,
      status: 'delivered',
      body: sent,
    })
    await one.workspace.status('test@example.com').expect(404)
  })

  it('accepts concurrent requests and retries like other deliveries', async () => {
    const one = await subscribed()
    webhooks.receiver.respond((_received, response) => void response.writeHead(webhooks.receiver.received.length <= 3 ? 500 : 200).end())
    const asked = await Promise.all(Array.from({ length: 8 }, () => one.workspace.send('post', `${PATH}/subscriptions/${one.id}/test/`)))
    const ids = new Set(asked.map(({ body }) => body.delivery_id))
    expect(ids.size).toBe(8)
    await eventually(async () => {
      const deliveries = await listed(one)
      expect(deliveries.map(({ status }: { status: string }) => status)).toEqual(Array(8).fill('delivered'))
    })
    expect(webhooks.receiver.received).toHaveLength(11)
    expect(new Set(webhooks.receiver.received.map((hook) => hook.headers['webhook-id']))).toEqual(ids)
  })

  it('sends real deliveries without the test header', async () => {
    const one = await subscribed()
    await reachLimit(one.workspace)
    await receives(1)
    expect(webhooks.receiver.received[0]?.headers['onward-test']).toBeUndefined()
  })
})

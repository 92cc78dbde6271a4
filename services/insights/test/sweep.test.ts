import { eventually } from '@onward/testbed'
import { useWebhooks } from './use-webhooks.ts'

const webhooks = useWebhooks()
const { subscribed, reach, attemptsOf, subscriptionOf, delivered, failed, makeDue } = webhooks

describe('the sweep', () => {
  it('brings back deliveries whose job the queue has lost', async () => {
    const { partner, id } = await subscribed()
    const times: number[] = []
    webhooks.receiver.answer((_received, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 503 : 200, { 'retry-after': '60' }).end()
    })
    const before = await webhooks.insights.metric('webhook_requeues_total')
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await webhooks.insights.loseDeliveryJobs()
    await makeDue(id)
    await delivered(id)
    expect(times).toHaveLength(2)
    expect(await webhooks.insights.metric('webhook_requeues_total')).toBeGreaterThan(before)
  })

  it('brings back a delivery whose process died while it was sending', async () => {
    const { partner, id } = await subscribed()
    await webhooks.insights.stop()
    const { id: subscriptionId } = await subscriptionOf(id)
    await webhooks.insights.db
      .insertInto('delivery')
      .values({
        id: crypto.randomUUID(),
        subscription_id: subscriptionId,
        app_key: partner.appKey,
        user_id: 'joe',
        period_start: new Date(),
        level: 100,
        arm_seq: 0,
        event_name: 'user_tasks_limit_100',
        body: '{}',
        claimed_until: new Date(Date.now() + 500),
      })
      .execute()
    await webhooks.insights.restart()
    await delivered(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })

  it('gives up deliveries that were made while their subscription was deleted', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await webhooks.insights.db.deleteFrom('subscription').where('id', '=', id).execute()
    await makeDue(id)
    await failed(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })
})

import { eventually } from '@onward/testbed'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, attemptsOf, subscriptionOf, delivered, failed, makeDue } = webhooks

describe('the sweep', () => {
  it('finds deliveries whose queue job was lost', async () => {
    const { workspace, id } = await subscribed()
    const times: number[] = []
    webhooks.receiver.answer((_received, response) => {
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
    webhooks.receiver.answer((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reachLimit(workspace)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await insights.db.deleteFrom('subscription').where('id', '=', id).execute()
    await makeDue(id)
    await failed(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })
})

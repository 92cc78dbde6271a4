import { sendJson } from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import { ATTEMPTS } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, receives, attemptsOf, deliveryOf, subscriptionOf, delivered, failed } = webhooks

describe('a webhook', () => {
  it('is a signed POST with the status of the user', async () => {
    const { workspace, id, secret } = await subscribed()
    await reachLimit(workspace)
    await delivered(id)
    expect(webhooks.receiver.received).toHaveLength(1)
    const [hook] = webhooks.receiver.received
    expect(hook).toMatchObject({ method: 'POST', url: '/hook' })
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'subscription-id': id,
      'event-name': 'user_tasks_limit_100',
      'app-key': workspace.appKey,
      'webhook-id': (await deliveryOf(id)).id,
    })
    const verified = new Webhook(secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>)
    expect(verified).toEqual({
      user_id: 'joe',
      current_limit: 1,
      limit_period: '30',
      tasks_consumed: 1,
      tasks_remaining: 0,
      tasks_consumed_percent: 100,
      tasks_remaining_percent: 0,
      limit_reset_after: 30,
    })
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 200, failure: null }])
  })

  it('names the application of the user, percent-encoded', async () => {
    const { workspace } = await subscribed()
    const app_key = 'zoë\n2'
    await insights.admin.put(`/admin/applications/${encodeURIComponent(app_key)}`, { workspace_id: workspace.id }).expect(200)
    await insights.consume(workspace.tasks('joe', 1).map((task) => ({ ...task, app_key })))
    await receives(1)
    expect(webhooks.receiver.received[0]?.headers['app-key']).toBe('zo%C3%AB%0A2')
  })

  it('is sent once per event when one batch reaches both levels', async () => {
    const { workspace } = await subscribed(['user_tasks_limit_80', 'user_tasks_limit_100'])
    await reachLimit(workspace)
    await receives(2)
    expect(webhooks.receiver.received.map((hook) => hook.headers['event-name']).sort()).toEqual([
      'user_tasks_limit_100',
      'user_tasks_limit_80',
    ])
    expect(new Set(webhooks.receiver.received.map((hook) => hook.headers['webhook-id'])).size).toBe(2)
  })

  it('is sent when a lowered limit reaches a level', async () => {
    const { workspace } = await subscribed()
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    await insights.consume(workspace.tasks('joe', 3))
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 3 }]).expect(200)
    await receives(1)
    await workspace.setAll(4).expect(200)
    await workspace.setAll(2).expect(200)
    await insights.limitChangesApplied()
    await receives(2)
  })

  it('is sent again with the same bytes and id and a new signature until the answer is 2xx', async () => {
    const { workspace, id, secret } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, webhooks.receiver.received.length < 3 ? 500 : 204, {}))
    await reachLimit(workspace)
    await delivered(id)
    expect(webhooks.receiver.received).toHaveLength(3)
    expect(new Set(webhooks.receiver.received.map((hook) => hook.body)).size).toBe(1)
    expect(new Set(webhooks.receiver.received.map((hook) => hook.headers['webhook-id'])).size).toBe(1)
    for (const hook of webhooks.receiver.received) new Webhook(secret).verify(hook.body, hook.headers as Record<string, string>)
    expect(await attemptsOf(id)).toEqual([
      { number: 1, status: 500, failure: null },
      { number: 2, status: 500, failure: null },
      { number: 3, status: 204, failure: null },
    ])
  })

  it('is sent once when its job comes twice at the same time', async () => {
    const { workspace, id } = await subscribed()
    let answer = () => {}
    webhooks.receiver.respond((_received, response) => {
      answer = () => sendJson(response, 200, {})
    })
    await reachLimit(workspace)
    await receives(1)
    await insights.addDeliveryJob(id)
    answer()
    await delivered(id)
    expect(webhooks.receiver.received).toHaveLength(1)
  })

  it('keeps the figures of the moment at which the level was reached', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, webhooks.receiver.received.length < 3 ? 503 : 200, {}))
    await reachLimit(workspace)
    await insights.consume(workspace.tasks('joe', 5))
    await delivered(id)
    for (const hook of webhooks.receiver.received) expect(JSON.parse(hook.body).tasks_consumed).toBe(1)
  })

  it('is given up after the last attempt', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, 404, {}))
    await reachLimit(workspace)
    await failed(id)
    expect(await attemptsOf(id)).toHaveLength(ATTEMPTS)
    expect((await subscriptionOf(id)).disabled_at).toBeNull()
  })

  it.each([
    ['redirects', 302, { location: '/elsewhere' }],
    ['answers 304', 304, {}],
  ])('is not delivered when the receiver %s', async (_what, status, headers) => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => void response.writeHead(status, headers).end())
    await reachLimit(workspace)
    await failed(id)
    expect(webhooks.receiver.received.every((hook) => hook.url === '/hook')).toBe(true)
  })

  it('waits as long as Retry-After says', async () => {
    const { workspace, id, secret } = await subscribed()
    const times: number[] = []
    webhooks.receiver.respond((_received, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '1' }).end()
    })
    await reachLimit(workspace)
    await delivered(id)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000)
    const [first, second] = webhooks.receiver.received
    for (const hook of [first, second]) new Webhook(secret).verify(hook?.body ?? '', hook?.headers as Record<string, string>)
    expect(second?.bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true)
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    expect(Number(second?.headers['webhook-timestamp'])).toBeGreaterThan(Number(first?.headers['webhook-timestamp']))
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature'])
  })
})

import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import { DELIVERY_QUEUE } from '../src/events/enqueue.ts'
import { FAST, type Insights, openInsights, type Partner } from './insights.ts'

let insights: Insights
let receiver: ScriptedServer
beforeAll(async () => {
  insights = await openInsights()
})
beforeEach(async () => {
  receiver = await openScriptedServer()
})
afterEach(async () => await receiver.close())
afterAll(async () => await insights.close())

async function subscribed(events = ['user_tasks_limit_100'], path = '/hook') {
  const partner = await insights.partner()
  await partner.setDefault(1).expect(200)
  const { body } = await partner.subscribe({ events, callback_url: `${receiver.url}${path}` }).expect(200)
  return { partner, id: body.subscription_id as string, secret: body.signing_secret as string }
}
const reach = async (partner: Partner, user = 'joe') => await insights.consume(partner.tasks(user, 1))
const receives = async (count: number) => await eventually(() => expect(receiver.received).toHaveLength(count))
const attemptsOf = async (subscriptionId: string) =>
  await insights.db
    .selectFrom('delivery_attempt')
    .innerJoin('delivery', 'delivery.id', 'delivery_attempt.delivery_id')
    .select(['number', 'status', 'failure'])
    .where('subscription_id', '=', subscriptionId)
    .orderBy('number')
    .execute()
const deliveryOf = async (subscriptionId: string) =>
  await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirstOrThrow()
const subscriptionOf = async (id: string) =>
  await insights.db.selectFrom('subscription').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const delivered = async (id: string) => await eventually(async () => expect((await deliveryOf(id)).delivered_at).not.toBeNull())
const failed = async (id: string) => await eventually(async () => expect((await deliveryOf(id)).failed_at).not.toBeNull())

describe('a webhook', () => {
  it('is a signed POST with the status of the user', async () => {
    const { partner, id, secret } = await subscribed()
    await reach(partner)
    await delivered(id)
    expect(receiver.received).toHaveLength(1)
    const [hook] = receiver.received
    expect(hook).toMatchObject({ method: 'POST', url: '/hook' })
    expect(hook?.headers).toMatchObject({
      'content-type': 'application/json',
      'subscription-id': id,
      'event-name': 'user_tasks_limit_100',
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

  it('is one per event where one batch reaches both levels', async () => {
    const { partner } = await subscribed(['user_tasks_limit_80', 'user_tasks_limit_100'])
    await reach(partner)
    await receives(2)
    expect(receiver.received.map((hook) => hook.headers['event-name']).sort()).toEqual(['user_tasks_limit_100', 'user_tasks_limit_80'])
    expect(new Set(receiver.received.map((hook) => hook.headers['webhook-id'])).size).toBe(2)
  })

  it('is sent for a level that a lowered limit passes', async () => {
    const { partner } = await subscribed()
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    await insights.consume(partner.tasks('joe', 3))
    await partner.setLimits([{ user_id: 'joe', allowed_tasks: 3 }]).expect(200)
    await receives(1)
    await partner.setAll(4).expect(200)
    await partner.setAll(2).expect(200)
    await eventually(async () => expect(await insights.db.selectFrom('reevaluation').selectAll().execute()).toEqual([]))
  })

  it('is tried again with the same bytes and the same id, signed anew, until it is answered 2xx', async () => {
    const { partner, id, secret } = await subscribed()
    receiver.answer((_received, response) => sendJson(response, receiver.received.length < 3 ? 500 : 204, {}))
    await reach(partner)
    await delivered(id)
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map((hook) => hook.body)).size).toBe(1)
    expect(new Set(receiver.received.map((hook) => hook.headers['webhook-id'])).size).toBe(1)
    for (const hook of receiver.received) new Webhook(secret).verify(hook.body, hook.headers as Record<string, string>)
    expect(await attemptsOf(id)).toEqual([
      { number: 1, status: 500, failure: null },
      { number: 2, status: 500, failure: null },
      { number: 3, status: 204, failure: null },
    ])
  })

  it('keeps the figures of the moment in which the level was reached', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => sendJson(response, receiver.received.length < 3 ? 503 : 200, {}))
    await reach(partner)
    await insights.consume(partner.tasks('joe', 5))
    await delivered(id)
    for (const hook of receiver.received) expect(JSON.parse(hook.body).tasks_consumed).toBe(1)
  })

  it('is given up after the last attempt', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => sendJson(response, 404, {}))
    await reach(partner)
    await failed(id)
    expect(await attemptsOf(id)).toHaveLength(FAST.delaysMs.length)
    expect((await subscriptionOf(id)).disabled_at).toBeNull()
  })

  it.each([
    ['redirects', 302, { location: '/elsewhere' }],
    ['is told that it was not modified', 304, {}],
  ])('is not delivered where the receiver %s', async (_what, status, headers) => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => void response.writeHead(status, headers).end())
    await reach(partner)
    await failed(id)
    expect(receiver.received.every((hook) => hook.url === '/hook')).toBe(true)
  })

  it('disables the subscription that answers 410, and stops what was still to be delivered', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => sendJson(response, 410, {}))
    await reach(partner)
    await failed(id)
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 410, failure: null }])
    expect((await subscriptionOf(id)).disabled_reason).toContain('410')
    await reach(partner, 'ann')
    expect(await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', id).execute()).toHaveLength(1)
  })

  it('waits as long as Retry-After asks for', async () => {
    const { partner, id } = await subscribed()
    const times: number[] = []
    receiver.answer((_received, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 429 : 200, { 'retry-after': '1' }).end()
    })
    await reach(partner)
    await delivered(id)
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000)
  })

  it('gives up an attempt at its deadline, however slowly the answer comes', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => {
      if (receiver.received.length > 1) return sendJson(response, 200, {})
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drip))
    })
    await reach(partner)
    await delivered(id)
    expect(await attemptsOf(id)).toEqual([
      { number: 1, status: null, failure: 'timed_out' },
      { number: 2, status: 200, failure: null },
    ])
  })

  it('does not read more of the answer than it needs', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', pour)
      pour()
    })
    await reach(partner)
    await delivered(id)
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 200, failure: null }])
  })

  it('is recorded as unreachable where nobody listens', async () => {
    const { partner, id } = await subscribed()
    await insights.db.updateTable('subscription').set({ callback_url: 'http://127.0.0.1:1/' }).where('id', '=', id).execute()
    await reach(partner)
    await failed(id)
    expect((await attemptsOf(id)).map((attempt) => attempt.failure)).toEqual(FAST.delaysMs.map(() => 'unreachable'))
  })

  it('stops when its subscription is deleted', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await partner.unsubscribe(id).expect(200)
    await failed(id)
  })

  it('that only failed for five days disables its subscription', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => sendJson(response, 500, {}))
    const since = new Date(Date.now() - FAST.failingForMs - 1_000)
    await insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reach(partner)
    await eventually(async () => expect((await subscriptionOf(id)).disabled_reason).toContain('too long'))
    expect(await attemptsOf(id)).toHaveLength(1)
  })

  it('that succeeds ends a time of failures', async () => {
    const { partner, id } = await subscribed()
    await insights.db
      .updateTable('subscription')
      .set({ failing_since: new Date(0) })
      .where('id', '=', id)
      .execute()
    await reach(partner)
    await delivered(id)
    expect((await subscriptionOf(id)).failing_since).toBeNull()
  })

  it('is not held up by receivers that hang', async () => {
    const hanging = await subscribed()
    receiver.answer((received, response) => {
      if (received.url === '/prompt') sendJson(response, 200, {})
    })
    await insights.consume(Array.from({ length: 30 }, (_, i) => hanging.partner.tasks(`user-${i}`, 1)).flat())
    const prompt = await subscribed(['user_tasks_limit_100'], '/prompt')
    const started = Date.now()
    await reach(prompt.partner)
    await delivered(prompt.id)
    expect(Date.now() - started).toBeLessThan(800)
  })
})

describe('the sweep', () => {
  it('brings back deliveries whose job the queue has lost', async () => {
    const { partner, id } = await subscribed()
    const times: number[] = []
    receiver.answer((_received, response) => {
      times.push(Date.now())
      response.writeHead(times.length === 1 ? 503 : 200, { 'retry-after': '1' }).end()
    })
    const before = await insights.metric('webhook_requeues_total')
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await insights.queues.queue(DELIVERY_QUEUE).obliterate({ force: true })
    await delivered(id)
    expect(times).toHaveLength(2)
    expect(await insights.metric('webhook_requeues_total')).toBeGreaterThan(before)
  })

  it('brings back a delivery whose process died while it was sending', async () => {
    const { partner, id } = await subscribed()
    await insights.stop()
    const { id: subscriptionId } = await subscriptionOf(id)
    await insights.db
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
    await insights.restart()
    await delivered(id)
    expect(receiver.received).toHaveLength(1)
  })

  it('gives up deliveries that were made while their subscription was deleted', async () => {
    const { partner, id } = await subscribed()
    receiver.answer((_received, response) => response.writeHead(503, { 'retry-after': '1' }).end() && undefined)
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await insights.db.deleteFrom('subscription').where('id', '=', id).execute()
    await failed(id)
    expect(receiver.received).toHaveLength(1)
  })
})

describe('with the reach of production', () => {
  it.each(['https://127.0.0.1/', 'https://localtest.invalid/'])('nothing is sent to %s', async (url) => {
    const guarded = await openInsights({ env: { OUTGOING_REACH: 'public' } })
    try {
      const partner = await guarded.partner()
      await partner.setDefault(1)
      const { body } = await partner.subscribe({ events: ['user_tasks_limit_100'], callback_url: 'https://hooks.example.com/' }).expect(200)
      await guarded.db.updateTable('subscription').set({ callback_url: url }).where('id', '=', body.subscription_id).execute()
      await guarded.consume(partner.tasks('joe', 1))
      const attempts = await eventually(async () => {
        const rows = await guarded.db.selectFrom('delivery_attempt').selectAll().execute()
        expect(rows.length).toBeGreaterThan(0)
        return rows
      })
      expect(attempts[0]).toMatchObject({ status: null, failure: url.includes('127') ? 'blocked' : 'unreachable' })
    } finally {
      await guarded.close()
    }
  })
})

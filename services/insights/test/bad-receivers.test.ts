import { eventually, sendJson } from '@onward/testbed'
import { FAST, openInsights } from './insights.ts'
import { useWebhooks } from './use-webhooks.ts'

const webhooks = useWebhooks()
const { subscribed, reach, attemptsOf, deliveryOf, subscriptionOf, delivered, failed } = webhooks

describe('a webhook', () => {
  it('disables the subscription that answers 410, and stops what was still to be delivered', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => sendJson(response, 410, {}))
    await reach(partner)
    await failed(id)
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 410, failure: null }])
    expect((await subscriptionOf(id)).disabled_reason).toContain('410')
    expect((await deliveryOf(id)).failed_reason).toContain('410')
    await reach(partner, 'ann')
    expect(await webhooks.insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', id).execute()).toHaveLength(1)
  })

  it('does not read more of the answer than it needs', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => {
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
    await webhooks.insights.db.updateTable('subscription').set({ callback_url: 'http://127.0.0.1:1/' }).where('id', '=', id).execute()
    await reach(partner)
    await failed(id)
    expect((await attemptsOf(id)).map((attempt) => attempt.failure)).toEqual(FAST.delaysMs.map(() => 'unreachable'))
  })

  it('stops when its subscription is deleted', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reach(partner)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await partner.unsubscribe(id).expect(200)
    await failed(id)
    expect((await deliveryOf(id)).failed_reason).toContain('deleted')
  })

  it('that only failed for five days disables its subscription', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => sendJson(response, 500, {}))
    const since = new Date(Date.now() - FAST.failingForMs - 1_000)
    await webhooks.insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reach(partner)
    await eventually(async () => expect((await subscriptionOf(id)).disabled_reason).toContain('too long'))
    expect(await attemptsOf(id)).toHaveLength(1)
    expect((await deliveryOf(id)).failed_reason).toContain('too long')
  })

  it('that failed for five days, but for one success, does not', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((received, response) => sendJson(response, JSON.parse(received.body).user_id === 'ann' ? 200 : 500, {}))
    const since = new Date(Date.now() - FAST.failingForMs + 60_000)
    await webhooks.insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reach(partner, 'ann')
    await delivered(id)
    await reach(partner, 'joe')
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1 + FAST.delaysMs.length))
    const { failing_since, disabled_at } = await subscriptionOf(id)
    expect(disabled_at).toBeNull()
    expect(failing_since?.getTime()).toBeGreaterThan(since.getTime() + 60_000)
  })

  it('counts the five days anew once its subscription is enabled again', async () => {
    const { partner, id } = await subscribed()
    webhooks.receiver.answer((_received, response) => sendJson(response, 500, {}))
    const since = new Date(Date.now() - FAST.failingForMs - 1_000)
    await webhooks.insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reach(partner)
    await failed(id)
    await partner.send('post', `/partners/api/insights/subscriptions/${id}/enable/`).expect(200)
    await reach(partner, 'ann')
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1 + FAST.delaysMs.length))
    expect((await subscriptionOf(id)).disabled_at).toBeNull()
  })

  it('that succeeds ends a time of failures', async () => {
    const { partner, id } = await subscribed()
    await webhooks.insights.db
      .updateTable('subscription')
      .set({ failing_since: new Date(0) })
      .where('id', '=', id)
      .execute()
    await reach(partner)
    await delivered(id)
    expect((await subscriptionOf(id)).failing_since).toBeNull()
  })
})

describe('an attempt', () => {
  const hurried = useWebhooks({ ...FAST, deadlineMs: 1_000 })

  it('is given up at its deadline, however slowly the answer comes', async () => {
    const { partner, id } = await hurried.subscribed()
    hurried.receiver.answer((_received, response) => {
      if (hurried.receiver.received.length > 1) return sendJson(response, 200, {})
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drip))
    })
    await hurried.reach(partner)
    await hurried.delivered(id)
    // The one that delivered need not be the next: on a busy machine that can be too slow as well.
    const [first] = await hurried.attemptsOf(id)
    expect(first).toEqual({ number: 1, status: null, failure: 'timed_out' })
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
      }, 20_000)
      // A name server that can't be reached takes its time.
      const failure = url.includes('127') ? 'blocked' : expect.stringMatching(/^(unreachable|timed_out)$/)
      expect(attempts[0]).toMatchObject({ status: null, failure })
    } finally {
      await guarded.close()
    }
  })
})

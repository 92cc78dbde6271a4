import { eventually, sendJson } from '@onward/testbed'
import { ATTEMPTS, openInsights } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const DISABLE_AFTER_MS = 120 * 3_600_000

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, attemptsOf, deliveryOf, subscriptionOf, delivered, failed } = webhooks

describe('a webhook', () => {
  it('disables a subscription that answers 410 and gives up its pending deliveries', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, 410, {}))
    await reachLimit(workspace)
    await failed(id)
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 410, failure: null }])
    expect((await subscriptionOf(id)).disabled_reason).toContain('410')
    expect((await deliveryOf(id)).failed_reason).toContain('410')
    await reachLimit(workspace, 'ann')
    expect(await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', id).execute()).toHaveLength(1)
  })

  it('ends when the answer is larger than needed', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => {
      response.writeHead(200)
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', pour)
      pour()
    })
    await reachLimit(workspace)
    await delivered(id)
    expect(await attemptsOf(id)).toEqual([{ number: 1, status: 200, failure: null }])
  })

  it('is recorded as unreachable when no server listens', async () => {
    const { workspace, id } = await subscribed()
    await insights.db.updateTable('subscription').set({ callback_url: 'http://127.0.0.1:1/' }).where('id', '=', id).execute()
    await reachLimit(workspace)
    await failed(id)
    expect((await attemptsOf(id)).map((attempt) => attempt.failure)).toEqual(
      Array.from({ length: ATTEMPTS }, () => 'unreachable: ECONNREFUSED'),
    )
  })

  it('is given up when its subscription is deleted', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => response.writeHead(503, { 'retry-after': '60' }).end() && undefined)
    await reachLimit(workspace)
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1))
    await workspace.unsubscribe(id).expect(200)
    await failed(id)
    expect((await deliveryOf(id)).failed_reason).toContain('deleted')
  })

  it('disables its subscription after five days with failures only', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, 500, {}))
    const since = new Date(Date.now() - DISABLE_AFTER_MS - 1_000)
    await insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reachLimit(workspace)
    await failed(id)
    expect((await subscriptionOf(id)).disabled_reason).toContain('too long')
    expect(await attemptsOf(id)).toHaveLength(1)
    expect((await deliveryOf(id)).failed_reason).toContain('too long')
  })

  it('does not disable its subscription after five days with one success', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((received, response) => sendJson(response, JSON.parse(received.body).user_id === 'ann' ? 200 : 500, {}))
    const since = new Date(Date.now() - DISABLE_AFTER_MS + 60_000)
    await insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reachLimit(workspace, 'ann')
    await delivered(id)
    await reachLimit(workspace, 'joe')
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1 + ATTEMPTS))
    const { failing_since, disabled_at } = await subscriptionOf(id)
    expect(disabled_at).toBeNull()
    expect(failing_since?.getTime()).toBeGreaterThan(since.getTime() + 60_000)
  })

  it('starts the five days again when its subscription is enabled', async () => {
    const { workspace, id } = await subscribed()
    webhooks.receiver.respond((_received, response) => sendJson(response, 500, {}))
    const since = new Date(Date.now() - DISABLE_AFTER_MS - 1_000)
    await insights.db.updateTable('subscription').set({ failing_since: since }).where('id', '=', id).execute()
    await reachLimit(workspace)
    await failed(id)
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/enable/`).expect(200)
    await reachLimit(workspace, 'ann')
    await eventually(async () => expect(await attemptsOf(id)).toHaveLength(1 + ATTEMPTS))
    expect((await subscriptionOf(id)).disabled_at).toBeNull()
  })

  it('clears failing_since when it succeeds', async () => {
    const { workspace, id } = await subscribed()
    await insights.db
      .updateTable('subscription')
      .set({ failing_since: new Date(0) })
      .where('id', '=', id)
      .execute()
    await reachLimit(workspace)
    await delivered(id)
    expect((await subscriptionOf(id)).failing_since).toBeNull()
  })
})

describe('an attempt', () => {
  const hurried = useWebhooks({ env: { WEBHOOK_TIMEOUT_MS: '1000' } })

  it('times out when the answer comes too slowly', async () => {
    const { workspace, id } = await hurried.subscribed()
    hurried.receiver.respond((_received, response) => {
      if (hurried.receiver.received.length > 1) return sendJson(response, 200, {})
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 50)
      response.on('close', () => clearInterval(drip))
    })
    await hurried.reachLimit(workspace)
    await hurried.delivered(id)
    // The second attempt can time out too on a busy machine.
    const [first] = await hurried.attemptsOf(id)
    expect(first).toEqual({ number: 1, status: null, failure: 'timed_out' })
  })
})

describe('OUTGOING_REACH=public', () => {
  it.each(['https://127.0.0.1/', 'https://hooks.example.com:22/', 'https://onward.example.com/api/x', 'https://localtest.invalid/'])(
    'prevents attempts to %s',
    async (url) => {
      const guarded = await openInsights({ env: { OUTGOING_REACH: 'public', PUBLIC_URL: 'https://onward.example.com/api' } })
      try {
        const workspace = await guarded.workspace()
        await workspace.setDefault(1)
        const { body } = await workspace
          .subscribe({ events: ['user_tasks_limit_100'], callback_url: 'https://hooks.example.com/' })
          .expect(200)
        await guarded.db.updateTable('subscription').set({ callback_url: url }).where('id', '=', body.subscription_id).execute()
        await guarded.consume(workspace.tasks('joe', 1))
        const attempts = await eventually(async () => {
          const rows = await guarded.db.selectFrom('delivery_attempt').selectAll().execute()
          expect(rows.length).toBeGreaterThan(0)
          return rows
        })
        // An unreachable name server can also cause a timeout.
        const failure = url.endsWith('.invalid/') ? expect.stringMatching(/^(unreachable(: E[A-Z_]+)?|timed_out)$/) : 'blocked'
        expect(attempts[0]).toMatchObject({ status: null, failure })
      } finally {
        await guarded.close()
      }
    },
  )
})

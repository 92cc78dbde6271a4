import { eventually } from '@onward/testbed'
import { ATTEMPTS } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, reachLimit, receives, delivered, failed } = webhooks
type Subscribed = Awaited<ReturnType<typeof subscribed>>

const list = ({ workspace, id }: Subscribed, query = '') =>
  workspace.send('get', `/partners/api/insights/subscriptions/${id}/deliveries/${query}`)
const idsOf = (body: { deliveries: { delivery_id: string }[] }) => body.deliveries.map((one) => one.delivery_id)

describe('GET subscriptions/<id>/deliveries', () => {
  it('returns deliveries with their bodies and attempts', async () => {
    const one = await subscribed()
    webhooks.receiver.respond(
      (_received, response) => void response.writeHead(webhooks.receiver.received.length === 1 ? 500 : 204).end('no such user'),
    )
    await reachLimit(one.workspace)
    await delivered(one.id)
    const [hook] = webhooks.receiver.received
    const { body } = await list(one).expect(200)
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    const attempt = { started_at: time, duration_ms: expect.any(Number), failure: null }
    expect(body).toEqual({
      deliveries: [
        {
          delivery_id: hook?.headers['webhook-id'],
          event_name: 'user_tasks_limit_100',
          user_id: 'joe',
          app_key: one.workspace.appKey,
          test: false,
          status: 'delivered',
          attempts: [
            { number: 1, status: 500, response: 'no such user', ...attempt },
            { number: 2, status: 204, response: null, ...attempt },
          ],
          next_attempt_at: null,
          delivered_at: time,
          failed_at: null,
          failed_reason: null,
          created_at: time,
          body: JSON.parse(hook?.body ?? ''),
        },
      ],
      _cursor: null,
    })
  })

  it('filters by status', async () => {
    const one = await subscribed()
    webhooks.receiver.respond((received, response) => {
      const user = JSON.parse(received.body).user_id
      response.writeHead(user === 'ann' ? 200 : 503, user === 'joe' ? { 'retry-after': '60' } : {}).end()
    })
    for (const user of ['ann', 'joe', 'zoe']) await reachLimit(one.workspace, user)
    const users = async (status: string) =>
      (await list(one, `?status=${status}`).expect(200)).body.deliveries.map((each: { user_id: string }) => each.user_id)
    await eventually(async () => {
      expect(await users('failed')).toEqual(['zoe'])
      expect(await users('delivered')).toEqual(['ann'])
      expect(await users('pending')).toEqual(['joe'])
    })
    const { deliveries } = (await list(one, '?status=failed')).body
    expect(deliveries[0].attempts.map((attempt: { number: number }) => attempt.number)).toEqual(
      Array.from({ length: ATTEMPTS }, (_, i) => i + 1),
    )
    expect(deliveries[0].failed_reason).toEqual(expect.any(String))
    const [pending] = (await list(one, '?status=pending')).body.deliveries
    expect(Date.parse(pending.next_attempt_at) - Date.parse(pending.attempts.at(-1).started_at)).toBeGreaterThan(50_000)
  })

  it.each<[string, Buffer, Record<string, string>, string | null]>([
    ['the first 1,000 characters', Buffer.from('é'.repeat(20_000)), {}, 'é'.repeat(1_000)],
    ['text that is not UTF-8', Buffer.from([0x61, 0xff, 0x62]), {}, 'a\ufffdb'],
    ['text without NUL', Buffer.from('a\0b'), {}, 'ab'],
    ['nothing of a compressed answer', Buffer.from([0x1f, 0x8b]), { 'content-encoding': 'gzip' }, null],
  ])('returns %s that the endpoint sent', async (_what, sent, headers, response) => {
    const one = await subscribed()
    webhooks.receiver.respond((_received, out) => void out.writeHead(200, headers).end(sent))
    await reachLimit(one.workspace)
    await delivered(one.id)
    expect((await list(one)).body.deliveries[0].attempts).toMatchObject([{ number: 1, status: 200, response }])
  })

  it('returns the reason why an attempt had no answer', async () => {
    const one = await subscribed()
    webhooks.receiver.respond((_received, response) => void response.destroy())
    await reachLimit(one.workspace)
    await failed(one.id)
    const { attempts } = (await list(one)).body.deliveries[0]
    expect(attempts[0]).toMatchObject({ status: null, response: null, failure: expect.stringMatching(/^[a-z_]+$/) })
  })

  it('returns pages, newest first, with each delivery once while new ones arrive', async () => {
    const one = await subscribed()
    for (let i = 0; i < 5; i++) await reachLimit(one.workspace, `user-${i}`)
    await receives(5)
    const first = (await list(one, '?page_size=2').expect(200)).body
    await reachLimit(one.workspace, 'late')
    const second = (await list(one, `?page_size=2&_cursor=${first._cursor}`).expect(200)).body
    const third = (await list(one, `?page_size=2&_cursor=${second._cursor}`).expect(200)).body
    expect(third._cursor).toBeNull()
    const ids = [first, second, third].flatMap(idsOf)
    expect(ids).toHaveLength(5)
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b.localeCompare(a)))
    expect(new Set(ids)).toEqual(new Set(webhooks.receiver.received.slice(0, 5).map((hook) => hook.headers['webhook-id'])))
  })

  it.each(['pending', 'failed', 'delivered'])('returns pages of deliveries of this subscription that are %s', async (status) => {
    const [one, other] = [await subscribed(), await subscribed()]
    const headers: Record<string, string> = status === 'pending' ? { 'retry-after': '60' } : {}
    webhooks.receiver.respond((_received, response) => void response.writeHead(status === 'delivered' ? 200 : 503, headers).end())
    for (const user of ['ann', 'joe', 'zoe']) {
      await reachLimit(one.workspace, user)
      await reachLimit(other.workspace, user)
    }
    const own = async () => (await list(one, `?status=${status}`).expect(200)).body
    await eventually(async () => expect((await own()).deliveries).toHaveLength(3))
    const first = (await list(one, `?status=${status}&page_size=2`).expect(200)).body
    const second = (await list(one, `?status=${status}&page_size=2&_cursor=${first._cursor}`).expect(200)).body
    expect([...idsOf(first), ...idsOf(second)]).toEqual(idsOf(await own()))
    expect(second._cursor).toBeNull()
  })

  it('returns the newest 50 attempts with their own numbers', async () => {
    const one = await subscribed()
    await reachLimit(one.workspace)
    await delivered(one.id)
    const { id: delivery_id } = await webhooks.deliveryOf(one.id)
    const attempt = { delivery_id, started_at: new Date(), duration_ms: 1, status: 500, failure: null }
    await insights.db
      .insertInto('delivery_attempt')
      .values(Array.from({ length: 59 }, (_, i) => ({ ...attempt, number: 2 * i + 3 })))
      .execute()
    const { attempts } = (await list(one)).body.deliveries[0]
    expect(attempts.map(({ number }: { number: number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 11))
  })

  it('refuses a cursor of another subscription and an invalid one', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    for (const user of ['ann', 'joe']) {
      await reachLimit(one.workspace, user)
      await reachLimit(other.workspace, user)
    }
    const { _cursor } = (await list(other, '?page_size=1').expect(200)).body
    await list(other, `?_cursor=${_cursor}`).expect(200)
    const forged = Buffer.from(JSON.stringify([one.id, "' or 1=1"])).toString('base64url')
    for (const cursor of [_cursor, forged, 'x', '!!']) {
      const { body } = await list(one, `?_cursor=${cursor}`).expect(400)
      expect(body.error_details).toEqual(['_cursor: must be the _cursor of an earlier response of this list'])
    }
  })

  it.each([
    ['status=done', 'status: must be one of "pending", "delivered", "failed"'],
    ['page_size=0', 'page_size: must be a whole number, 1 or more'],
    ['page_size=201', 'page_size: must be a whole number, 1 to 200'],
  ])('refuses %s', async (query, detail) => {
    const one = await subscribed()
    const { body } = await list(one, `?${query}`).expect(400)
    expect(body.error_details).toEqual([expect.stringContaining(detail.slice(0, 30))])
  })
})

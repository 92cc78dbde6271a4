import { USER_EVENT_QUEUE, type UserEvent } from '@onward/contract'
import { openLog, openQueues, type Queue, type Queues, uuidv7 } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import type { Workspace } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed, receives, delivered, attemptsOf } = webhooks

let queues: Queues
let queue: Queue<unknown>
beforeAll(async () => {
  queues = await openQueues(insights.config.queueUrl, insights.config.queuePrefix, openLog('test', 'silent'))
  queue = queues.queue(USER_EVENT_QUEUE)
})
afterAll(() => queues.close())

function connected(workspace: Workspace, change: Partial<UserEvent> = {}): UserEvent {
  const occurred_at = new Date().toISOString()
  const data = { app: 'desk', connected_account_id: 7 }
  return { id: uuidv7(), kind: 'account_connected', app_key: workspace.appKey, user_id: 'joe', occurred_at, data, ...change }
}

/** Adds a job and waits until it is completed. */
async function take(event: UserEvent, jobId = event.id): Promise<void> {
  await queue.add({ id: jobId, data: { events: [event] } })
  await eventually(async () => expect(await queue.state(jobId)).toBe('completed'))
}
const deliveries = (id: string) => insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', id).execute()
const bodies = () => webhooks.receiver.received.map(({ body }) => JSON.parse(body))

describe('an event of a user', () => {
  it('is sent signed to the subscriptions to its kind, with the same id of the event', async () => {
    const { workspace, id, secret } = await subscribed(['account_connected', 'user_tasks_limit_80'])
    await workspace.subscribe({ events: ['account_disconnected'], callback_url: `${webhooks.receiver.url}/other` }).expect(200)
    await workspace.subscribe({ events: ['account_connected'], callback_url: `${webhooks.receiver.url}/second` }).expect(200)
    const event = connected(workspace)
    await take(event)
    await receives(2)
    const first = webhooks.receiver.received.find(({ url }) => url === '/hook')
    expect(first?.headers).toMatchObject({ 'subscription-id': id, 'event-name': 'account_connected', 'app-key': workspace.appKey })
    const { occurred_at } = event
    const body = { event_id: event.id, user_id: 'joe', occurred_at, app: 'desk', connected_account_id: 7 }
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toEqual(body)
    expect(bodies()).toEqual([body, body])
    expect(webhooks.receiver.received.map(({ url }) => url).sort()).toEqual(['/hook', '/second'])
  })

  it('is retried like a level, with the same bytes and id', async () => {
    const { workspace, id } = await subscribed(['account_connected'])
    webhooks.receiver.respond((_received, response) => sendJson(response, webhooks.receiver.received.length < 3 ? 500 : 204, {}))
    await take(connected(workspace))
    await delivered(id)
    expect(new Set(webhooks.receiver.received.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1)
    expect((await attemptsOf(id)).map(({ status }) => status)).toEqual([500, 500, 204])
  })

  it('causes one delivery when its message arrives several times, also at once and under another job id', async () => {
    const { workspace, id } = await subscribed(['account_connected'])
    const event = connected(workspace)
    await Promise.all([1, 2, 3, 4].map((n) => take(event, `${event.id}-${n}`)))
    await workspace.subscribe({ events: ['account_connected'], callback_url: webhooks.receiver.url }).expect(200)
    await take(event, `${event.id}-late`)
    await receives(1)
    expect(await deliveries(id)).toHaveLength(1)
  })

  it('causes no delivery in another workspace, for an unknown application, or while the subscription is disabled', async () => {
    const { workspace, id } = await subscribed(['account_connected'])
    const other = await insights.workspace()
    await take(connected(other))
    await take(connected(workspace, { app_key: 'unknown' }))
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/disable`).expect(200)
    await take(connected(workspace))
    expect(await deliveries(id)).toEqual([])
  })

  it('waits in the queue while this version does not know its kind', async () => {
    const { workspace, id } = await subscribed(['account_connected'])
    const later = connected(workspace)
    await queue.add({ id: 'later', data: { events: [{ ...later, kind: 'user_merged' }] } })
    await take(connected(workspace))
    await receives(1)
    await eventually(async () => expect((await queue.counts()).delayed).toBeGreaterThan(0))
    expect(await queue.state('later')).toBe('pending')
    expect(await deliveries(id)).toHaveLength(1)
    await queue.remove('later')
  })
})

describe('POST /insights/subscriptions', () => {
  it('accepts the kinds of events and refuses others', async () => {
    const workspace = await insights.workspace()
    const subscribe = (events: string[]) => workspace.subscribe({ events, callback_url: webhooks.receiver.url })
    const kinds = ['account_connected', 'account_disconnected', 'account_reconnect_required']
    await subscribe([...kinds, 'approval_requested', 'approval_decided', 'limit_changed', 'user_tasks_limit_1']).expect(200)
    for (const kind of ['account_renamed', 'account_connected ', 'Account_connected', 'user_tasks_limit_0']) {
      expect((await subscribe([kind]).expect(400)).body.error_details[0]).toMatch(/^events\[0\]: /)
    }
  })

  it('sends a test of each kind that its own documentation describes', async () => {
    const kinds = ['account_reconnect_required', 'approval_requested', 'approval_decided', 'limit_changed']
    for (const kind of kinds) {
      const { workspace, id } = await subscribed([kind])
      await workspace.send('post', `/partners/api/insights/subscriptions/${id}/test`).expect(200)
      await delivered(id)
      const { body } = await workspace.send('get', `/partners/api/insights/subscriptions/${id}/deliveries`).expect(200)
      expect(body.deliveries).toMatchObject([{ event_name: kind, user_id: 'test@example.com', app_key: null, test: true }])
    }
    expect(bodies().map(({ user_id }) => user_id)).toEqual(kinds.map(() => 'test@example.com'))
  })
})

describe('limit_changed', () => {
  it('tells the old and the new limit of each user whose limit has changed', async () => {
    const { workspace, id } = await subscribed(['limit_changed'])
    await workspace.setLimits([{ user_id: 'ann', allowed_tasks: 5 }]).expect(200)
    await workspace
      .setLimits([
        { user_id: 'ann', allowed_tasks: 8 },
        { user_id: 'ben', allowed_tasks: 3 },
      ])
      .expect(200)
    await workspace.setLimits([{ user_id: 'ann', allowed_tasks: 8 }]).expect(200)
    await receives(3)
    const changes = bodies().map(({ event_id: _, occurred_at: __, ...change }) => change)
    expect(changes).toHaveLength(3)
    expect(changes).toEqual(
      expect.arrayContaining([
        { user_id: 'ann', current_limit: 5, previous_limit: null },
        { user_id: 'ann', current_limit: 8, previous_limit: 5 },
        { user_id: 'ben', current_limit: 3, previous_limit: null },
      ]),
    )
    expect(webhooks.receiver.received[0]?.headers).toMatchObject({ 'event-name': 'limit_changed', 'app-key': workspace.appKey })
    expect(await deliveries(id)).toHaveLength(3)
  })

  it('is one event for all existing users, and the previous limit of a user is then that limit', async () => {
    const { workspace, id } = await subscribed(['limit_changed'])
    await workspace.setAll(40).expect(200)
    await receives(1)
    const [hook] = webhooks.receiver.received
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({ user_id: null, current_limit: 40, previous_limit: null })
    expect(Object.keys(hook?.headers ?? {})).not.toEqual(expect.arrayContaining(['app-key']))
    expect(hook?.headers['onward-test']).toBeUndefined()
    const { body } = await workspace.send('get', `/partners/api/insights/subscriptions/${id}/deliveries`).expect(200)
    expect(body.deliveries).toMatchObject([{ event_name: 'limit_changed', user_id: null, app_key: null, test: false }])
  })

  it('follows a limit for all users that is not applied to the user yet', async () => {
    const { workspace } = await subscribed(['limit_changed'])
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    await workspace.setAll(40).expect(200)
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 41 }]).expect(200)
    await receives(3)
    expect(bodies()).toContainEqual(expect.objectContaining({ user_id: 'joe', current_limit: 41, previous_limit: 40 }))
  })

  it('is not caused by the default limit of new users, nor by a request that fails', async () => {
    const { workspace, id } = await subscribed(['limit_changed'])
    await workspace.setDefault(9).expect(200)
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: -1 }]).expect(400)
    expect(await deliveries(id)).toEqual([])
  })

  it('refuses a request that would cause more than 100,000 deliveries, and changes nothing', async () => {
    const { workspace, id } = await subscribed(['limit_changed'])
    for (let i = 1; i < 11; i++) await workspace.subscribe({ events: ['limit_changed'], callback_url: webhooks.receiver.url }).expect(200)
    const limits = Array.from({ length: 10_000 }, (_, i) => ({ user_id: `user-${i}`, allowed_tasks: 5 }))
    const { body } = await workspace.setLimits(limits).expect(400)
    expect(body.error).toContain('at most 9090 users')
    expect(await deliveries(id)).toEqual([])
    expect(await insights.db.selectFrom('usage_user').select('user_id').where('app_key', '=', workspace.appKey).execute()).toEqual([])
  })
})

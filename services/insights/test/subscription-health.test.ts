import { uuidv7 } from '@onward/runtime'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const HOUR_MS = 3_600_000
const health = async (query = '') =>
  (await insights.admin.get(`/admin/workspaces/${workspace.id}/subscription-health${query}`).expect(200)).body
const subscribe = async (to = workspace) =>
  (await to.subscribe({ events: ['user_tasks_limit_80'], callback_url: 'http://127.0.0.1:9/' }).expect(200)).body.subscription_id as string

/** Stores deliveries of a subscription that were created at a time. */
async function deliver(subscriptionId: string, at: number, result: 'delivered_at' | 'failed_at' | undefined, count = 1): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: uuidv7(at),
    subscription_id: subscriptionId,
    kind: 'user_tasks_limit_80',
    payload: '{}',
    user_id: 'joe',
    created_at: new Date(at),
    next_attempt_at: new Date(at + 72 * HOUR_MS),
    ...(result && { [result]: new Date() }),
  }))
  for (let start = 0; start < count; start += 1_000)
    await insights.db
      .insertInto('delivery')
      .values(rows.slice(start, start + 1_000))
      .execute()
}

describe('GET /admin/workspaces/:workspace_id/subscription-health', () => {
  it('counts the deliveries of the last day per subscription and hour', async () => {
    const [first, second, foreign] = [await subscribe(), await subscribe(), await subscribe(await insights.workspace())]
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
    await deliver(first, hour + 1, 'delivered_at', 2)
    await deliver(first, hour + 2, 'failed_at')
    await deliver(first, hour + 3, undefined)
    await deliver(first, hour - 2 * HOUR_MS, 'failed_at')
    await deliver(first, hour - 26 * HOUR_MS, 'failed_at')
    await deliver(foreign, hour + 1, 'delivered_at')
    const hours = [
      { hour: new Date(hour - 2 * HOUR_MS).toISOString(), delivered: 0, failed: 1, pending: 0, retrying: 0 },
      { hour: new Date(hour).toISOString(), delivered: 2, failed: 1, pending: 1, retrying: 0 },
    ]
    const expected = (of: typeof hours) => ({
      subscriptions: [
        { subscription_id: second, hours: [], capped: false },
        { subscription_id: first, hours: of, capped: false },
      ],
    })
    expect(await health()).toEqual(expected(hours))
    expect(await health(`?since=${new Date(hour - 100 * HOUR_MS).toISOString()}`)).toEqual(expected(hours))
    expect(await health(`?since=${new Date(hour).toISOString()}`)).toEqual(expected(hours.slice(1)))
  })

  it('counts the newest 5,000 deliveries of a subscription', async () => {
    const id = await subscribe()
    const now = Date.now()
    await deliver(id, now, 'delivered_at', 5_000)
    await deliver(id, now - 1_000, 'failed_at', 2)
    const [{ hours, capped }] = (await health()).subscriptions
    expect([hours.length, hours[0].delivered, hours[0].failed, capped]).toEqual([1, 5_000, 0, true])
  })
})

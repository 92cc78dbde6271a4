import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import type { Workspace } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights, subscribed } = webhooks

const read = (workspace: Pick<Workspace, 'id'>, query: Record<string, string>) =>
  insights.admin.get(`/admin/workspaces/${workspace.id}/deliveries?${new URLSearchParams(query)}`)
const idsOf = async (workspace: Workspace, query: Record<string, string>) =>
  (await read(workspace, query).expect(200)).body.deliveries.map((each: { delivery_id: string }) => each.delivery_id)

/** Stores deliveries of some users, made one minute after another, and returns their ids. The last one is the newest. */
async function stored(subscriptionId: string, appKey: string, users: readonly string[]): Promise<string[]> {
  const from = Date.now() - users.length * 60_000
  const rows = users.map((user, at) => ({
    id: idAt(from + at * 60_000),
    subscription_id: subscriptionId,
    kind: 'user_tasks_limit_100',
    payload: JSON.stringify(payloadOf(user)),
    app_key: appKey,
    user_id: user,
    failed_at: user === 'ann' ? new Date() : null,
    next_attempt_at: new Date(Date.now() + 3_600_000),
    created_at: new Date(from + at * 60_000),
  }))
  await insights.db.insertInto('delivery').values(rows).execute()
  return rows.map(({ id }) => id)
}

function payloadOf(user_id: string): object {
  const tasks = { current_limit: 1, tasks_consumed: 1, tasks_remaining: 0, tasks_consumed_percent: 100, tasks_remaining_percent: 0 }
  return { user_id, ...tasks, limit_period: '30', limit_reset_after: 12 }
}

function idAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`
}

describe('GET deliveries of a workspace', () => {
  it('lists those of a subscription in pages, newest first, with the filters together', async () => {
    const { workspace, id } = await subscribed()
    const [a = '', b = '', c = '', d = ''] = await stored(id, workspace.appKey, ['ann', 'bob', 'ann', 'bob'])
    const subscription_id = id
    expect(await idsOf(workspace, { subscription_id })).toEqual([d, c, b, a])
    expect(await idsOf(workspace, { subscription_id, user_id: 'ann' })).toEqual([c, a])
    expect(await idsOf(workspace, { subscription_id, status: 'pending', user_id: 'ann' })).toEqual([])
    expect(await idsOf(workspace, { subscription_id, status: 'failed' })).toEqual([c, a])
    expect(await idsOf(workspace, { subscription_id, app_key: workspace.appKey, user_id: 'bob' })).toEqual([d, b])
    expect(await idsOf(workspace, { subscription_id, app_key: 'other' })).toEqual([])
    expect(await idsOf(workspace, { subscription_id, user_id: 'a\0' })).toEqual([])
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
    expect(await idsOf(workspace, { subscription_id, since: minutesAgo(3.5), until: minutesAgo(1.5) })).toEqual([c, b])
    const { body } = await read(workspace, { subscription_id, since: minutesAgo(3.5), page_size: '2' }).expect(200)
    expect(body.deliveries).toMatchObject([{ delivery_id: d, subscription_id: id }, { delivery_id: c }])
    expect(await idsOf(workspace, { subscription_id, since: minutesAgo(3.5), _cursor: body._cursor })).toEqual([b])
  })

  it('finds given deliveries with their attempts, and leaves out those of other workspaces', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    await webhooks.reachLimit(one.workspace)
    await webhooks.delivered(one.id)
    const { id } = await webhooks.deliveryOf(one.id)
    const [foreign = ''] = await stored(other.id, other.workspace.appKey, ['ann'])
    await eventually(async () => {
      const { body } = await read(one.workspace, { delivery_ids: [id, foreign, uuidv7()].join(',') }).expect(200)
      expect(body).toMatchObject({
        deliveries: [{ delivery_id: id, subscription_id: one.id, status: 'delivered', attempts: [{ number: 1, status: 200 }] }],
        _cursor: null,
      })
    })
  })

  it.each<[string, Record<string, string>, string]>([
    ['nothing', {}, 'subscription_id: is required without delivery_ids'],
    ['ids and a filter', { delivery_ids: uuidv7(), status: 'failed' }, 'delivery_ids: cannot be combined'],
    ['other text as ids', { delivery_ids: 'a,b' }, 'delivery_ids: must be up to 50 ids of deliveries'],
    [
      'too many ids',
      { delivery_ids: Array.from({ length: 51 }, () => uuidv7()).join(',') },
      'delivery_ids: must have at most 1850 characters',
    ],
  ])('refuses %s', async (_what, query, problem) => {
    const { body } = await read(await insights.workspace(), query).expect(400)
    expect(body.error_details).toEqual([problem])
  })

  it('knows no subscription of another workspace', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    expect((await read(one.workspace, { subscription_id: other.id }).expect(404)).body.code).toBe('subscription_not_found')
  })
})

describe('GET replay-preview', () => {
  const preview = (workspace: Workspace, query: Record<string, string>) =>
    insights.admin.get(`/admin/workspaces/${workspace.id}/replay-preview?${new URLSearchParams(query)}`)

  it('counts what a replay would send, and names the same span', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    await stored(one.id, one.workspace.appKey, ['ann', 'bob', 'ann'])
    await stored(other.id, other.workspace.appKey, ['ann'])
    const since = new Date(Date.now() - 600_000).toISOString()
    const { body } = await preview(one.workspace, { since }).expect(200)
    expect(body).toEqual({ deliveries: 2, since, until: expect.any(String) })
    expect(Date.parse(body.until)).toBeLessThanOrEqual(Date.now())
    expect((await preview(one.workspace, { since, until: new Date(Date.now() - 60_000).toISOString() }).expect(200)).body.deliveries).toBe(
      0,
    )
    const { replay_id } = (
      await insights.admin.post(`/admin/workspaces/${one.workspace.id}/replays`, { ...body, deliveries: undefined }).expect(200)
    ).body
    const replay = (await insights.admin.get(`/admin/workspaces/${one.workspace.id}/replays/${replay_id}`).expect(200)).body
    expect(replay).toMatchObject({ deliveries: 2, since, until: body.until, subscription_id: null })
  })

  it('refuses what a replay would refuse', async () => {
    const [one, other] = [await subscribed(), await subscribed()]
    const since = new Date(Date.now() - 600_000).toISOString()
    expect((await preview(one.workspace, { since, subscription_id: other.id }).expect(404)).body.code).toBe('subscription_not_found')
    const { body } = await preview(one.workspace, { since: new Date(Date.now() + 600_000).toISOString() }).expect(400)
    expect(body.error_details).toEqual(['since: must be before until, and in the past'])
  })
})

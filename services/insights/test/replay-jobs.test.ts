import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import type { Workspace } from './insights.ts'
import { useWebhooks } from './use-insights.ts'

const webhooks = useWebhooks()
const { insights } = webhooks

type Replay = { replay_id: string; status: string; deliveries: number; replayed: number; skipped: number; until: string }

const path = ({ id }: Pick<Workspace, 'id'>, rest = '') => `/admin/workspaces/${id}/replays${rest}`
const replay = (workspace: Workspace, body: object) => insights.admin.post(path(workspace), body)
const started = async (workspace: Workspace, body: object) =>
  (await replay(workspace, body).expect(200)).body as { replay_id: string; deliveries: number }
const read = async (workspace: Workspace, id: string): Promise<Replay> =>
  (await insights.admin.get(path(workspace, `/${id}`)).expect(200)).body
const ended = async (workspace: Workspace, id: string, status = 'done') =>
  await eventually(async () => {
    const found = await read(workspace, id)
    expect(found.status).toBe(status)
    return found
  })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const subscribe = async (workspace: Workspace, url: string) =>
  (await workspace.subscribe({ events: ['user_tasks_limit_100'], callback_url: url }).expect(200)).body.subscription_id as string

/** Stores deliveries that failed some minutes ago, a millisecond apart. Returns their ids. */
async function failedDeliveries(subscriptionId: string, count: number, minutes = 10): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  await sql`
    insert into delivery (id, subscription_id, kind, payload, user_id, attempts, failed_at, failed_reason)
    select id, ${subscriptionId}::uuid, 'user_tasks_limit_100', '{}', 'joe', 10,
      ${minutesAgo(minutes)}::timestamptz + place * interval '1 microsecond', 'the last attempt failed'
    from unnest(${ids}::uuid[]) with ordinality as made (id, place)`.execute(insights.db)
  return ids
}

const receivedIds = () => new Set(webhooks.receiver.received.map(({ headers }) => String(headers['webhook-id'])))

describe('a replay of given deliveries', () => {
  it('sends those of its own workspace that have failed, and skips the others', async () => {
    const [one, other] = [await webhooks.subscribed(), await webhooks.subscribed()]
    const [first = '', second = ''] = await failedDeliveries(one.id, 2)
    const [foreign = ''] = await failedDeliveries(other.id, 1)
    const [unknown, delivered] = [uuidv7(), uuidv7()]
    await insights.db
      .insertInto('delivery')
      .values({ id: delivered, subscription_id: one.id, kind: 'x', payload: '{}', user_id: 'joe', delivered_at: new Date() })
      .execute()
    const { replay_id, deliveries } = await started(one.workspace, { ids: [first, second, foreign, unknown, delivered] })
    expect(deliveries).toBe(5)
    expect(await read(one.workspace, replay_id)).toMatchObject({ status: 'done', deliveries: 5, replayed: 2, skipped: 3 })
    await webhooks.receives(2)
    expect(receivedIds()).toEqual(new Set([first, second]))
    // Nothing is sent to the other workspace later either.
    const { failed_at } = await webhooks.deliveryOf(other.id)
    expect(failed_at).not.toBeNull()
  })

  it('skips deliveries of a disabled subscription', async () => {
    const { workspace, id } = await webhooks.subscribed()
    const ids = await failedDeliveries(id, 1)
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/disable`).expect(200)
    const { replay_id } = await started(workspace, { ids })
    expect(await read(workspace, replay_id)).toMatchObject({ replayed: 0, skipped: 1 })
  })
})

describe('a replay of what failed since a moment', () => {
  it('sends what failed in the span in its own workspace, once each', async () => {
    const [one, other] = [await webhooks.subscribed(), await webhooks.subscribed()]
    const second = await subscribe(one.workspace, `${webhooks.receiver.url}/second`)
    await failedDeliveries(one.id, 1, 60)
    await failedDeliveries(one.id, 1, 2)
    await failedDeliveries(other.id, 3)
    const ids = [...(await failedDeliveries(one.id, 205)), ...(await failedDeliveries(second, 3))]
    const { replay_id, deliveries } = await started(one.workspace, { since: minutesAgo(30), until: minutesAgo(5) })
    expect(deliveries).toBe(208)
    expect(await ended(one.workspace, replay_id)).toMatchObject({ deliveries: 208, replayed: 208, skipped: 0, created_by: 'ADMIN_TOKEN' })
    await webhooks.receives(208)
    expect(receivedIds()).toEqual(new Set(ids))
    const rows = await insights.db.selectFrom('delivery').select('subscription_id').where('failed_at', 'is not', null).execute()
    expect(rows.filter((row) => row.subscription_id === other.id)).toHaveLength(3)
    expect(rows.filter((row) => row.subscription_id === one.id)).toHaveLength(2)
  })

  it('confines itself to one subscription if one is given', async () => {
    const { workspace, id } = await webhooks.subscribed()
    const second = await subscribe(workspace, `${webhooks.receiver.url}/second`)
    await failedDeliveries(id, 2)
    const ids = await failedDeliveries(second, 3)
    const { replay_id } = await started(workspace, { since: minutesAgo(30), subscription_id: second })
    expect(await ended(workspace, replay_id)).toMatchObject({ deliveries: 3, replayed: 3 })
    await webhooks.receives(3)
    expect(receivedIds()).toEqual(new Set(ids))
  })

  it('skips what belongs to disabled subscriptions, and ends', async () => {
    const { workspace, id } = await webhooks.subscribed()
    const disabled = await subscribe(workspace, webhooks.receiver.url)
    await failedDeliveries(id, 2)
    await failedDeliveries(disabled, 201)
    await workspace.send('post', `/partners/api/insights/subscriptions/${disabled}/disable`).expect(200)
    const { replay_id } = await started(workspace, { since: minutesAgo(30) })
    expect(await ended(workspace, replay_id)).toMatchObject({ deliveries: 203, replayed: 2, skipped: 201 })
  })

  it('leaves out what fails after it has begun', async () => {
    const { workspace, id } = await webhooks.subscribed()
    webhooks.receiver.respond((_received, response) => void response.writeHead(500).end())
    await failedDeliveries(id, 1)
    const { replay_id } = await started(workspace, { since: minutesAgo(30), until: new Date(Date.now() + 3_600_000).toISOString() })
    const { until } = await ended(workspace, replay_id)
    expect(Date.parse(until)).toBeLessThanOrEqual(Date.now())
    await webhooks.failed(id)
    expect(await read(workspace, replay_id)).toMatchObject({ status: 'done', replayed: 1 })
  })

  it('continues after a restart, and sends each delivery once', async () => {
    const { workspace, id } = await webhooks.subscribed()
    const ids = await failedDeliveries(id, 450)
    let stopping: Promise<void> | undefined
    const { replay_id } = await insights.db.transaction().execute(async (tx) => {
      // Delays the second page until the service is stopping.
      await sql`select from delivery where id = ${ids[300]}::uuid for update`.execute(tx)
      const made = await started(workspace, { since: minutesAgo(30) })
      await insights.waitsForLock(1)
      stopping = insights.stop()
      return made
    })
    await stopping
    const stored = await insights.db
      .selectFrom('replay')
      .select(['replayed', 'finished_at'])
      .where('id', '=', replay_id)
      .executeTakeFirstOrThrow()
    expect(stored).toEqual({ replayed: 400, finished_at: null })
    await insights.restart()
    expect(await ended(workspace, replay_id)).toMatchObject({ replayed: 450, skipped: 0 })
    await eventually(() => expect(receivedIds().size).toBe(450))
    const attempts = await insights.db.selectFrom('delivery').select('schedule_start').where('subscription_id', '=', id).execute()
    // Each replay of a delivery restarts its schedule one number later.
    expect(new Set(attempts.map((delivery) => delivery.schedule_start))).toEqual(new Set([11]))
  })

  it('stops when it is aborted', async () => {
    const { workspace, id } = await webhooks.subscribed()
    const ids = await failedDeliveries(id, 2_000)
    const abort = (of: Workspace, replayId: string) => insights.admin.delete(path(of, `/${replayId}`))
    const other = await insights.workspace()
    const { replay_id } = await insights.db.transaction().execute(async (tx) => {
      await sql`select from delivery where id = ${ids[300]}::uuid for update`.execute(tx)
      const made = await started(workspace, { since: minutesAgo(30) })
      await insights.waitsForLock(1)
      expect((await abort(other, made.replay_id).expect(404)).body.code).toBe('replay_not_found')
      // It waits for the page, whose lock it needs.
      void abort(workspace, made.replay_id).then(() => undefined)
      await insights.waitsForLock(2)
      return made
    })
    const { replayed, skipped, deliveries } = await ended(workspace, replay_id, 'aborted')
    expect(deliveries).toBe(2_000)
    expect(replayed + skipped).toBeLessThan(2_000)
    expect((await abort(workspace, replay_id).expect(200)).body.status).toBe('aborted')
    // The next replay can begin.
    await started(workspace, { ids: ids.slice(-1) })
  })

  it('takes turns with replays of other workspaces, and runs once in its own', async () => {
    const [large, small] = [await webhooks.subscribed(), await webhooks.subscribed()]
    const ids = await failedDeliveries(large.id, 1_000)
    await failedDeliveries(small.id, 3)
    const [first, second] = await insights.db.transaction().execute(async (tx) => {
      await sql`select from delivery where id = ${ids[0]}::uuid for update`.execute(tx)
      const made = await started(large.workspace, { since: minutesAgo(30) })
      await insights.waitsForLock(1)
      const { body } = await replay(large.workspace, { since: minutesAgo(30) }).expect(409)
      expect(body.code).toBe('replay_running')
      return [made.replay_id, (await started(small.workspace, { since: minutesAgo(30) })).replay_id] as const
    })
    await ended(large.workspace, first)
    await ended(small.workspace, second)
    const rows = await insights.db.selectFrom('replay').select('id').where('id', 'in', [first, second]).orderBy('finished_at').execute()
    expect(rows.map(({ id }) => id)).toEqual([second, first])
  })
})

describe('the list of replays', () => {
  it('is that of the workspace, newest first, in pages', async () => {
    const [one, other] = [await insights.workspace(), await insights.workspace()]
    const made: string[] = []
    for (let n = 0; n < 3; n++) made.push((await started(one, { ids: [uuidv7()] })).replay_id)
    await started(other, { ids: [uuidv7()] })
    const { body: first } = await insights.admin.get(path(one, '?page_size=2')).expect(200)
    const { body: second } = await insights.admin.get(path(one, `?page_size=2&_cursor=${first._cursor}`)).expect(200)
    expect([...first.replays, ...second.replays].map((each: Replay) => each.replay_id)).toEqual(made.reverse())
    expect(second._cursor).toBeNull()
    await insights.admin.get(path(other, `/${made[0]}`)).expect(404)
  })
})

describe('POST replays', () => {
  it.each<[string, object, string]>([
    ['nothing', {}, 'since: is required without ids'],
    ['ids and a span', { ids: [uuidv7()], since: minutesAgo(1) }, 'ids: cannot be combined'],
    ['a span that ends before it begins', { since: minutesAgo(1), until: minutesAgo(2) }, 'since: must be before until, and in the past'],
    ['a span in the future', { since: minutesAgo(-60) }, 'since: must be before until, and in the past'],
    ['no ids', { ids: [] }, 'ids: must not be empty'],
  ])('refuses %s', async (_what, body, problem) => {
    const { body: response } = await replay(await insights.workspace(), body).expect(400)
    expect(response.error_details).toEqual([problem])
  })

  it('refuses subscriptions of other workspaces and disabled ones, and unknown workspaces', async () => {
    const [one, other] = [await webhooks.subscribed(), await webhooks.subscribed()]
    const body = { since: minutesAgo(1), subscription_id: other.id }
    expect((await replay(one.workspace, body).expect(404)).body.code).toBe('subscription_not_found')
    await other.workspace.send('post', `/partners/api/insights/subscriptions/${other.id}/disable`).expect(200)
    expect((await replay(other.workspace, body).expect(409)).body.code).toBe('subscription_disabled')
    await insights.admin.post('/admin/workspaces/nobody/replays', body).expect(404)
  })
})

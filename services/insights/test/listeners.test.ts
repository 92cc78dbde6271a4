import { eventually } from '@onward/testbed'
import { Webhook } from 'standardwebhooks'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const PATH = '/partners/api/insights/listeners/'
const EVENTS = ['user_tasks_limit_50', 'user_tasks_limit_100']

const listen = async (events = EVENTS) => (await workspace.send('post', PATH).send({ events }).expect(200)).body
const take = (id: string) => workspace.send('post', `${PATH}${id}/take/`)
const report = (id: string, body: object) => workspace.send('post', `${PATH}${id}/attempts/`).send(body)
const expire = (id: string) =>
  insights.db
    .updateTable('subscription')
    .set({ listener_until: new Date(Date.now() - 1_000) })
    .where('id', '=', id)
    .execute()

/** Takes deliveries until some are due. */
async function takeSome(id: string) {
  let taken: { delivery_id: string; attempt: number; headers: Record<string, string>; body: string }[] = []
  await eventually(async () => {
    taken = (await take(id).expect(200)).body.deliveries
    expect(taken).not.toEqual([])
  })
  return taken
}

describe('a listener', () => {
  it('takes the signed webhooks of its events, which are not sent anywhere', async () => {
    await workspace.setDefault(2).expect(200)
    const { subscription_id: id, signing_secret: secret, expires_at: expiresAt } = await listen()
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(60_000)
    expect((await take(id).expect(200)).body.deliveries).toEqual([])
    await insights.consume(workspace.tasks('joe', 1))
    // The dispatcher is woken, and leaves the delivery to the listener.
    await insights.addDeliveryJob(id)
    const [taken] = await takeSome(id)
    expect(taken).toMatchObject({ attempt: 1, headers: { 'event-name': EVENTS[0], 'app-key': workspace.appKey } })
    expect(new Webhook(secret).verify(taken?.body ?? '', taken?.headers ?? {})).toMatchObject({ user_id: 'joe', tasks_consumed: 1 })
    expect((await take(id).expect(200)).body.deliveries).toEqual([])

    const delivery_id = taken?.delivery_id
    await report(id, { delivery_id, attempt: 1, duration_ms: 7, status: 204, failure: null }).expect(200)
    const { body } = await workspace.send('get', `/partners/api/insights/subscriptions/${id}/deliveries/`).expect(200)
    expect(body.deliveries).toMatchObject([{ delivery_id, status: 'delivered', attempts: [{ number: 1, duration_ms: 7, status: 204 }] }])
  })

  it('takes a delivery again if its attempt failed, or was not reported for a minute', async () => {
    const { subscription_id: id } = await listen()
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/test/`).expect(200)
    const [first] = await takeSome(id)
    const result = { delivery_id: first?.delivery_id, duration_ms: 1, status: null }
    await report(id, { ...result, attempt: 1, failure: 'unreachable' }).expect(200)
    const [second] = await takeSome(id)
    expect(second).toMatchObject({ delivery_id: first?.delivery_id, attempt: 2, body: first?.body })
    await insights.db
      .updateTable('delivery')
      .set({ claimed_until: new Date(Date.now() - 1_000) })
      .where('subscription_id', '=', id)
      .execute()
    expect(await takeSome(id)).toMatchObject([{ delivery_id: first?.delivery_id, attempt: 2 }])
    await report(id, { ...result, attempt: 2, failure: 'timed_out' }).expect(200)
  })

  it('expires, gets no further deliveries, and is deleted', async () => {
    await workspace.setDefault(1).expect(200)
    const { subscription_id: id } = await listen(['user_tasks_limit_100'])
    await expire(id)
    expect((await take(id).expect(404)).body.code).toBe('subscription_not_found')
    await insights.consume(workspace.tasks('joe', 1))
    expect(await insights.db.selectFrom('delivery').selectAll().where('subscription_id', '=', id).execute()).toEqual([])
    const live = (await listen()).subscription_id
    await insights.admin.post('/admin/retention/run', {}).expect(200)
    const left = await insights.db.selectFrom('subscription').select('id').where('workspace_id', '=', workspace.id).execute()
    expect(left).toEqual([{ id: live }])
  })

  it('does not count as a subscription, and a workspace has at most five', async () => {
    const ids = []
    for (let n = 0; n < 5; n++) ids.push((await listen()).subscription_id)
    expect((await workspace.send('post', PATH).send({ events: EVENTS }).expect(409)).body.code).toBe('too_many_subscriptions')
    expect((await workspace.send('get', '/partners/api/insights/subscriptions/').expect(200)).body.subscriptions).toEqual([])
    await workspace.unsubscribe(ids[0]).expect(200)
    await expire(ids[1])
    for (let n = 0; n < 2; n++) await listen()
    const { body } = await workspace.subscribe({ events: EVENTS, callback_url: 'http://127.0.0.1:1/' }).expect(200)
    expect((await take(body.subscription_id).expect(404)).body.code).toBe('subscription_not_found')
  })

  it('belongs to its workspace', async () => {
    const { subscription_id: id } = await listen()
    const other = await insights.workspace()
    await other.send('post', `${PATH}${id}/take/`).expect(404)
    const mine = await listen()
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/test/`).expect(200)
    const [taken] = await takeSome(id)
    const result = { delivery_id: taken?.delivery_id, attempt: 1, duration_ms: 1 }
    expect((await report(mine.subscription_id, { ...result, status: 200, failure: null }).expect(404)).body.code).toBe('delivery_not_found')
    for (const both of [
      { status: null, failure: null },
      { status: 200, failure: 'timed_out' },
    ]) {
      expect((await report(id, { ...result, ...both }).expect(400)).body.code).toBe('invalid_parameters')
    }
  })
})

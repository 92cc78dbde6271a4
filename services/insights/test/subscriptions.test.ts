import { isUuid } from '@onward/runtime'
import { sql } from 'kysely'
import { isError } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const PUBLIC_URL = 'https://onward.example.com/api'
const insights = useInsights({ env: { OUTGOING_REACH: 'public', PUBLIC_URL } })
const workspace = useWorkspace(insights)

const HOOK = 'https://hooks.example.com/onward'
const EVENTS = ['user_tasks_limit_80', 'user_tasks_limit_100']
const refusal = (...error_details: string[]) => ({ error: 'the parameters are not valid', error_details, code: 'invalid_parameters' })
const notFound = {
  error: 'there is no such subscription',
  error_details: [],
  code: 'subscription_not_found',
}

/** Like `isError`, with the link to the documents. */
const isLinked = (expected: Parameters<typeof isError>[0]) =>
  isError({ ...expected, docs_url: `${PUBLIC_URL}/docs/errors#${expected.code}` })

describe('POST subscriptions', () => {
  it('returns an id and a signing secret, which is stored sealed', async () => {
    const { body } = await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
    expect(new Set(Object.keys(body))).toEqual(new Set(['subscription_id', 'signing_secret']))
    expect(isUuid(body.subscription_id)).toBe(true)
    expect(body.signing_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const row = await insights.db.selectFrom('subscription').selectAll().where('id', '=', body.subscription_id).executeTakeFirstOrThrow()
    expect(row.sealed_secret.toString('latin1')).not.toContain(Buffer.from(body.signing_secret.slice(6), 'base64').toString('latin1'))
    expect(row).toMatchObject({ events: EVENTS, callback_url: HOOK })
  })

  it('accepts any level from 1 to 100', async () => {
    await workspace.subscribe({ events: ['user_tasks_limit_1', 'user_tasks_limit_99'], callback_url: HOOK }).expect(200)
  })

  it('accepts a form', async () => {
    const form = `events[]=${EVENTS[0]}&events[]=${EVENTS[1]}&callback_url=${encodeURIComponent(HOOK)}`
    await workspace.send('post', '/partners/api/insights/subscriptions/').type('form').send(form).expect(200)
  })

  it.each<[string, object, string]>([
    ['no events', { callback_url: HOOK }, 'events: is required'],
    ['an empty list', { events: [], callback_url: HOOK }, 'events: must not be empty'],
    ['events as text', { events: 'user_tasks_limit_80', callback_url: HOOK }, 'events: must be an array'],
    ['an event twice', { events: [EVENTS[0], EVENTS[0]], callback_url: HOOK }, 'events: must not hold the same item twice'],
    ['a number', { events: [80], callback_url: HOOK }, 'events[0]: must be text'],
    ['no callback_url', { events: EVENTS }, 'callback_url: is required'],
    ['an empty callback_url', { events: EVENTS, callback_url: '' }, 'callback_url: must not be empty'],
    ['an unknown field', { events: EVENTS, callback_url: HOOK, secret: 'x' }, 'secret: is not known here'],
    [
      'a URL of 2 049 characters',
      { events: EVENTS, callback_url: `${HOOK}?${'x'.repeat(2_049 - HOOK.length - 1)}` },
      'callback_url: must have at most 2048 characters',
    ],
  ])('refuses %s', async (_what, body, detail) => {
    await workspace
      .subscribe(body)
      .expect(400)
      .expect(isLinked(refusal(detail)))
  })

  it.each(['user_tasks_limit_0', 'user_tasks_limit_101', 'user_tasks_limit_080', 'user_tasks_limit_80 ', 'user_tasks_limit_', 'tasks', ''])(
    'refuses the event "%s"',
    async (event) => {
      const { body } = await workspace.subscribe({ events: [event], callback_url: HOOK }).expect(400)
      expect(body.error_details).toEqual([expect.stringMatching(/^events\[0\]: must match pattern ".*", such as user_tasks_limit_80$/)])
    },
  )

  it.each([
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://10.1.2.3/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://localhost/',
    'https://db.internal/',
    'https://joe:secret@hooks.example.com/',
    'https:\\\\hooks.example.com/',
    'https://hooks.example.com/\n',
    'file:///etc/passwd',
    'ftp://hooks.example.com/',
    'data:text/plain,x',
    'hooks.example.com',
    'https://',
    ...[22, 25, 80, 444, 5432, 6379, 8080].map((port) => `https://hooks.example.com:${port}/`),
    'https://onward.example.com/api',
    'https://onward.example.com:443/api/partners/x?y',
  ])('refuses the callback_url %j', async (callback_url) => {
    const { body } = await workspace.subscribe({ events: EVENTS, callback_url }).expect(400)
    expect(body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(/^callback_url: must /)] })
  })

  it.each([
    'https://hooks.example.com:443/',
    'https://hooks.example.com:8443/',
    'https://onward.example.com/',
    'https://onward.example.com/apis',
    'https://onward.example.com:8443/api',
  ])('accepts the callback_url %j', async (callback_url) => {
    await workspace.subscribe({ events: EVENTS, callback_url }).expect(200)
  })

  it('creates at most 100 subscriptions, even in concurrent requests', async () => {
    const subscribe = async () => (await workspace.subscribe({ events: EVENTS, callback_url: HOOK })).status
    const statuses = await Promise.all(Array.from({ length: 110 }, subscribe))
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    const refused = {
      error: 'a workspace can have at most 100 subscriptions; delete one first',
      error_details: [],
      code: 'too_many_subscriptions',
    }
    await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(409).expect(isLinked(refused))
    const { id } = await insights.db
      .selectFrom('subscription')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .executeTakeFirstOrThrow()
    await workspace.unsubscribe(id).expect(200)
    expect(await subscribe()).toBe(200)
  })
})

describe('disabled subscriptions', () => {
  it('count among the 1,000 that a workspace can have', async () => {
    await sql`
      insert into subscription (id, workspace_id, events, callback_url, sealed_secret, active_after_seq, disabled_at)
      select gen_random_uuid(), ${workspace.id}, '{user_tasks_limit_1}', ${HOOK}, '', 0, now() from generate_series(1, 999)`.execute(
      insights.db,
    )
    const { body } = await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
    const path = `/partners/api/insights/subscriptions/${body.subscription_id}`
    await workspace.send('post', `${path}/disable/`).expect(200)
    const refused = await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(409)
    expect(refused.body.code).toBe('too_many_subscriptions')
    await workspace.send('post', `${path}/enable/`).expect(200)
    await workspace.unsubscribe(body.subscription_id).expect(200)
    await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
  })
})

describe('the events of all subscriptions', () => {
  const ALL = Array.from({ length: 100 }, (_, i) => `user_tasks_limit_${i + 1}`)
  const refused = {
    error: 'all subscriptions of a workspace together can have at most 200 events; delete one first',
    error_details: [],
    code: 'too_many_subscriptions',
  }

  it('are 200 at most, disabled subscriptions not included', async () => {
    const subscribe = async (events: readonly string[]) => await workspace.subscribe({ events, callback_url: HOOK })
    const made = await Promise.all(Array.from({ length: 3 }, async () => await subscribe(ALL)))
    expect(made.map(({ status }) => status).sort()).toEqual([200, 200, 409])
    isLinked(refused)(await subscribe(EVENTS))

    const { subscription_id: id } = made.find(({ status }) => status === 200)?.body ?? {}
    await insights.db.updateTable('subscription').set({ disabled_at: new Date() }).where('id', '=', id).execute()
    expect((await subscribe(EVENTS)).status).toBe(200)
    await workspace.send('post', `/partners/api/insights/subscriptions/${id}/enable/`).expect(409).expect(isLinked(refused))
    expect((await subscribe(ALL.slice(0, 98))).status).toBe(200)
  })
})

describe('PATCH subscriptions/<id>', () => {
  const MOVED = 'https://hooks.example.com/moved'
  const path = (id: string) => `/partners/api/insights/subscriptions/${id}/`
  const patch = (id: string, body: object) => workspace.send('patch', path(id)).send(body)
  const subscribe = async (events: readonly string[] = EVENTS): Promise<string> =>
    (await workspace.subscribe({ events, callback_url: HOOK }).expect(200)).body.subscription_id

  it('changes what the body has, and keeps the rest', async () => {
    const id = await subscribe()
    const read = async () => (await workspace.send('get', path(id)).expect(200)).body
    const before = await read()
    const moved = (await patch(id, { callback_url: MOVED }).expect(200)).body
    expect(await read()).toEqual({ ...before, callback_url: MOVED })
    const { deliveries: _, ...shown } = before
    expect(moved).toEqual({ ...shown, callback_url: MOVED })
    await patch(id, { events: ['limit_changed'] }).expect(200)
    expect(await read()).toEqual({ ...before, callback_url: MOVED, events: ['limit_changed'] })
    await patch(id, {}).expect(200)
    expect(await read()).toEqual({ ...before, callback_url: MOVED, events: ['limit_changed'] })
  })

  it('forgets the failures of the previous URL only when the URL changes', async () => {
    const id = await subscribe()
    await insights.db.updateTable('subscription').set({ failing_since: new Date() }).where('id', '=', id).execute()
    expect((await patch(id, { events: EVENTS, callback_url: HOOK }).expect(200)).body.failing_since).not.toBeNull()
    expect((await patch(id, { callback_url: MOVED }).expect(200)).body.failing_since).toBeNull()
  })

  it('refuses to replace values that have changed since they were read', async () => {
    const id = await subscribe()
    await patch(id, { callback_url: MOVED, if_unchanged: { callback_url: HOOK, events: EVENTS } }).expect(200)
    const { body } = await patch(id, { callback_url: HOOK, events: ['limit_changed'], if_unchanged: { callback_url: HOOK } }).expect(409)
    expect(body).toMatchObject({ code: 'changed_since_read', error_details: ['callback_url: has changed'] })
    expect((await workspace.send('get', path(id))).body).toMatchObject({ callback_url: MOVED, events: EVENTS })
  })

  it.each<[string, object, RegExp]>([
    ['an address that is not public', { callback_url: 'https://10.1.2.3/' }, /^callback_url: must /],
    ['no events', { events: [] }, /^events: must not be empty$/],
    ['an unknown event', { events: ['tasks'] }, /^events\[0\]: must match pattern/],
    ['a secret', { signing_secret: 'x' }, /^signing_secret: is not known here$/],
  ])('refuses %s', async (_what, body, detail) => {
    const id = await subscribe()
    const refused = await patch(id, body).expect(400)
    expect(refused.body).toMatchObject({ code: 'invalid_parameters', error_details: [expect.stringMatching(detail)] })
  })

  it('counts added events of active subscriptions among the 200 of the workspace', async () => {
    const levels = (count: number) => Array.from({ length: count }, (_, i) => `user_tasks_limit_${i + 1}`)
    const large = await subscribe(levels(100))
    await subscribe(levels(60))
    const id = await subscribe(levels(39))
    await patch(id, { events: levels(40) }).expect(200)
    const { body } = await patch(id, { events: levels(41) }).expect(409)
    expect(body.code).toBe('too_many_subscriptions')
    await patch(id, { events: levels(40).reverse() }).expect(200)
    await workspace.send('post', `${path(large)}disable/`).expect(200)
    await patch(id, { events: levels(41) }).expect(200)
    await patch(large, { events: levels(99) }).expect(200)
    await patch(large, { events: levels(100) }).expect(200)
  })

  it("answers alike for another workspace's subscription, a listener and an unknown one", async () => {
    const other = await insights.workspace()
    const { body } = await other.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
    const listener = await workspace.send('post', '/partners/api/insights/listeners/').send({ events: EVENTS }).expect(200)
    for (const id of [body.subscription_id, listener.body.subscription_id, '5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e', 'not-a-uuid']) {
      await patch(id, { callback_url: MOVED }).expect(404).expect(isLinked(notFound))
    }
  })
})

describe('DELETE subscriptions/<id>', () => {
  it('deletes a subscription once', async () => {
    const { body } = await workspace.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
    await workspace.unsubscribe(body.subscription_id).expect(200, { success: true })
    await workspace.unsubscribe(body.subscription_id).expect(404).expect(isLinked(notFound))
  })

  it("answers alike for another workspace's subscription and an unknown one", async () => {
    const other = await insights.workspace()
    const { body } = await other.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)
    await workspace.unsubscribe(body.subscription_id).expect(404).expect(isLinked(notFound))
    await workspace.unsubscribe('5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e').expect(404).expect(isLinked(notFound))
    await workspace.unsubscribe('not-a-uuid').expect(404).expect(isLinked(notFound))
    await workspace.unsubscribe('%00').expect(404).expect(isLinked(notFound))
    await other.unsubscribe(body.subscription_id).expect(200)
  })
})

import { uuidv7 } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { isError } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const PATH = '/partners/api/insights/subscriptions/'
const HOOK = 'https://hooks.example.com/onward'
const NEVER = new Date('2100-01-01T00:00:00Z')
const EVENTS = ['user_tasks_limit_80', 'user_tasks_limit_100']
const notFound = {
  error: 'there is no such subscription',
  error_details: [],
  code: 'subscription_not_found',
}

const get = (id: string, of = workspace) => of.send('get', `${PATH}${id}/`)
const enable = (id: string, of = workspace) => of.send('post', `${PATH}${id}/enable/`)
const list = (query = '') => workspace.send('get', `${PATH}${query}`)
const subscribe = async (of = workspace): Promise<string> =>
  (await of.subscribe({ events: EVENTS, callback_url: HOOK }).expect(200)).body.subscription_id

/** Inserts subscriptions in one statement, so that they have the same creation time. */
async function fill(count: number, disabled = false): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into subscription (id, workspace_id, events, callback_url, sealed_secret, disabled_at)
    select gen_random_uuid(), ${workspace.id}, ${EVENTS}::text[], ${HOOK}, '', ${disabled ? new Date() : null}::timestamptz
    from generate_series(1, ${count}::int) returning id`.execute(insights.db)
  return rows.map((row) => row.id)
}

async function disable(id: string): Promise<void> {
  const since = new Date('2026-03-01T12:00:00.000Z')
  const change = { disabled_at: since, disabled_reason: 'all deliveries failed for too long', failing_since: since }
  await insights.db.updateTable('subscription').set(change).where('id', '=', id).execute()
}

const active = (id: string) => ({
  subscription_id: id,
  events: EVENTS,
  callback_url: HOOK,
  status: 'active',
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: expect.stringMatching(/^\d{4}-.*Z$/),
  secret_rotated_at: null,
  previous_valid_until: null,
})

describe('GET subscriptions/<id>', () => {
  it('returns a subscription with its numbers of deliveries, but without its secret', async () => {
    const id = await subscribe()
    await get(id).expect(200, { ...(await get(id)).body, deliveries: { pending: 0, delivered: 0, failed: 0 } })
    expect((await get(id)).body).toEqual({ ...active(id), deliveries: { pending: 0, delivered: 0, failed: 0 } })
    expect((await get(id.toUpperCase()).expect(200)).body.subscription_id).toBe(id)
  })

  it('returns when and why the subscription was disabled', async () => {
    const id = await subscribe()
    await disable(id)
    const at = '2026-03-01T12:00:00.000Z'
    expect((await get(id).expect(200)).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'all deliveries failed for too long',
      disabled_at: at,
      failing_since: at,
    })
  })

  it('counts deliveries by status, up to 10,000', async () => {
    const id = await subscribe()
    await sql`
      insert into delivery (id, subscription_id, app_key, user_id, period_start, level, times_lowered, kind, payload, delivered_at, failed_at, next_attempt_at)
      select gen_random_uuid(), ${id}, ${workspace.appKey}, 'joe', now(), 80, n, 'user_tasks_limit_80', '{}',
        case when n <= 10001 then now() end, case when n > 10003 then now() end, now() + interval '1 day'
      from generate_series(1, 10006) n`.execute(insights.db)
    expect((await get(id).expect(200)).body.deliveries).toEqual({ pending: 2, delivered: 10_000, failed: 3 })
  })
})

describe('GET subscriptions', () => {
  it('lists the subscriptions of the workspace, newest first', async () => {
    await subscribe(await insights.workspace())
    await list().expect(200, { subscriptions: [], _cursor: null })
    const ids = [await subscribe(), await subscribe(), await subscribe()]
    expect((await list().expect(200)).body).toEqual({ subscriptions: ids.reverse().map(active), _cursor: null })
  })

  it('returns pages with each subscription once, including disabled ones and those created at the same time', async () => {
    const ids = [...(await fill(7)), ...(await fill(4, true))]
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await list(`?page_size=3&_cursor=${cursor}`).expect(200)
      expect(body.subscriptions.length).toBeLessThanOrEqual(3)
      seen.push(...body.subscriptions.map((one: { subscription_id: string }) => one.subscription_id))
      cursor = body._cursor
    } while (cursor !== null)
    expect(seen).toHaveLength(11)
    expect(new Set(seen)).toEqual(new Set(ids))
  })

  it.each([
    ['invalid base64url', '!!'],
    ['another list', Buffer.from('["slack"]').toString('base64url')],
    ['an invalid time', Buffer.from('["-1","5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e"]').toString('base64url')],
    ['a time out of range', Buffer.from('["99999999999999999","5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e"]').toString('base64url')],
    ['an invalid id', Buffer.from('["1","x"]').toString('base64url')],
  ])('refuses a cursor of %s', async (_what, cursor) => {
    const { body } = await list(`?_cursor=${cursor}`).expect(400)
    expect(body.error_details).toEqual(['_cursor: must be the _cursor of an earlier response of this list'])
  })

  it('accepts the latest time that a cursor can hold', async () => {
    await subscribe()
    const cursor = Buffer.from('["9999999999999999","5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e"]').toString('base64url')
    expect((await list(`?_cursor=${cursor}`).expect(200)).body.subscriptions).toHaveLength(1)
  })

  it.each(['0', '201', '1.5', 'x'])('refuses a page size of %s', async (size) => {
    const { body } = await list(`?page_size=${size}`).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^page_size: must be a whole number/)])
  })
})

describe('POST subscriptions/<id>/disable', () => {
  it('disables a subscription, and its pending deliveries fail', async () => {
    const [id, other] = [await subscribe(), await subscribe()]
    await insights.db
      .insertInto('delivery')
      .values(
        [id, other].map((each) => ({
          id: uuidv7(),
          subscription_id: each,
          kind: 'x',
          payload: '{}',
          user_id: 'joe',
          next_attempt_at: NEVER,
        })),
      )
      .execute()
    const reason = 'it was disabled by a request'
    const { body } = await workspace.send('post', `${PATH}${id}/disable`).expect(200)
    expect(body).toMatchObject({ subscription_id: id, status: 'disabled', disabled_reason: reason, disabled_at: expect.any(String) })
    const failureOf = async (of: string) =>
      (await insights.db.selectFrom('delivery').select('failed_reason').where('subscription_id', '=', of).executeTakeFirstOrThrow())
        .failed_reason
    await eventually(async () => expect(await failureOf(id)).toBe(`the subscription was disabled: ${reason}`))
    expect(await failureOf(other)).toBeNull()
    expect((await get(other)).body).toMatchObject({ status: 'active' })
    // Again: the time and the reason stay.
    expect((await workspace.send('post', `${PATH}${id}/disable`).expect(200)).body).toEqual(body)
    await enable(id).expect(200)
  })
})

describe('POST subscriptions/<id>/enable', () => {
  it('enables a disabled subscription and clears its failures', async () => {
    const id = await subscribe()
    await disable(id)
    expect((await enable(id).expect(200)).body).toEqual(active(id))
    expect((await get(id)).body).toMatchObject(active(id))
    expect((await enable(id).expect(200)).body).toEqual(active(id))
  })

  it('enables no more subscriptions than allowed, even in concurrent requests', async () => {
    const disabled = await fill(10, true)
    const [live = ''] = await fill(95)
    const statuses = await Promise.all(disabled.map(async (id) => (await enable(id)).status))
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 409, 409, 409, 409, 409])
    const { body } = await list('?page_size=200').expect(200)
    const left = body.subscriptions.find((one: { status: string }) => one.status === 'disabled').subscription_id
    const refusal = {
      error: 'a workspace can have at most 100 subscriptions; delete one first',
      error_details: [],
      code: 'too_many_subscriptions',
    }
    await enable(left).expect(409).expect(isError(refusal))
    await enable(live).expect(200)
    await workspace.unsubscribe(live).expect(200)
    await enable(left).expect(200)
  })
})

describe("another workspace's subscription and an unknown one", () => {
  const actions: [string, 'get' | 'post', string][] = [
    ['GET', 'get', ''],
    ['GET deliveries', 'get', 'deliveries/'],
    ['disable', 'post', 'disable/'],
    ['enable', 'post', 'enable/'],
    ['rotate-secret', 'post', 'rotate-secret/'],
    ['test', 'post', 'test/'],
  ]
  it.each(actions)('are answered alike by %s', async (_name, method, action) => {
    const other = await insights.workspace()
    const id = await subscribe(other)
    for (const foreign of [id, '5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e', 'not-a-uuid', '%00', `${id}%00`, `${id}x`]) {
      await workspace.send(method, `${PATH}${foreign}/${action}`).expect(404).expect(isError(notFound))
    }
    await other.send(method, `${PATH}${id}/${action}`).expect(200)
  })
})

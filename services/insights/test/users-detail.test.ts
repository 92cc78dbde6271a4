import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo, task, type Workspace } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

const detailOf = (userId: string, appKey = workspace.appKey) =>
  insights.admin.get(`/admin/users/detail?app_key=${appKey}&user_id=${encodeURIComponent(userId)}`)
const subscribe = async (events: string[], to: Workspace = workspace) =>
  (await to.subscribe({ events, callback_url: 'http://127.0.0.1:9/' }).expect(200)).body.subscription_id as string

describe('GET /admin/users/detail', () => {
  it('returns the status in the list with the period', async () => {
    const [user] = ['jöe/x y@z']
    await workspace.setDefault(10).expect(200)
    await insights.consume(workspace.tasks(user as string, 8, daysAgo(10)))
    const { body: list } = await workspace.list().expect(200)
    const { body } = await detailOf(user as string).expect(200)
    expect(body).toEqual({
      ...list[0],
      limit_source: 'default',
      first_seen_at: expect.any(String),
      period: { starts_at: expect.any(String), ends_at: expect.any(String) },
      level: 80,
      blocked_until: null,
      notices: [],
    })
    expect(Date.parse(body.period.ends_at) - Date.parse(body.period.starts_at)).toBe(30 * 86_400_000)
  })

  it('shows where the limit comes from', async () => {
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 5 }]).expect(200)
    expect((await detailOf('joe').expect(200)).body).toMatchObject({ limit_source: 'own', period: null, level: 0, notices: [] })
    await workspace.setAll(9).expect(200)
    await insights.limitChangesApplied()
    expect((await detailOf('joe').expect(200)).body).toMatchObject({ limit_source: 'bulk', current_limit: 9 })
    await workspace.setLimits([{ user_id: 'joe', allowed_tasks: 6 }]).expect(200)
    expect((await detailOf('joe').expect(200)).body).toMatchObject({ limit_source: 'own', current_limit: 6 })
  })

  it('lists the webhooks about the current period to subscriptions of the workspace, newest first', async () => {
    const other = await insights.workspace()
    await workspace.setDefault(2).expect(200)
    const kinds = ['user_tasks_limit_50', 'user_tasks_limit_100']
    await subscribe(kinds)
    await subscribe(kinds.slice(1))
    await subscribe(kinds, other)
    await insights.consume(workspace.tasks('joe', 1))
    await insights.consume(workspace.tasks('joe', 1))
    const rows = await insights.db
      .selectFrom('delivery')
      .innerJoin('subscription', 'subscription.id', 'delivery.subscription_id')
      .select(['delivery.id', 'delivery.kind'])
      .where('workspace_id', '=', workspace.id)
      .orderBy('delivery.id')
      .execute()
    const idsOf = (kind: string) => rows.flatMap((row) => (row.kind === kind ? [row.id] : []))
    const [first = '', second = ''] = idsOf('user_tasks_limit_100')
    const [half = ''] = idsOf('user_tasks_limit_50')
    await insights.db.updateTable('delivery').set({ failed_at: new Date() }).where('id', '=', second).execute()
    await insights.db.updateTable('delivery').set({ delivered_at: new Date() }).where('id', '=', half).execute()
    const at = expect.any(String)
    const failed = { delivery_id: second, status: 'failed' }
    expect((await detailOf('joe').expect(200)).body.notices).toEqual([
      { event_name: 'user_tasks_limit_100', at, deliveries: [failed, { delivery_id: first, status: 'pending' }] },
      { event_name: 'user_tasks_limit_50', at, deliveries: [{ delivery_id: half, status: 'delivered' }] },
    ])
    // Another workspace does not see deliveries of subscriptions that are not its own.
    await insights.db.updateTable('subscription').set({ workspace_id: other.id }).where('workspace_id', '=', workspace.id).execute()
    expect((await detailOf('joe').expect(200)).body.notices).toEqual([])
  })

  it('says until when the user is blocked', async () => {
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, on_limit: 'block' }).expect(200)
    await workspace.setDefault(1).expect(200)
    await insights.consume(workspace.tasks('joe', 1))
    await eventually(async () => {
      const { period, blocked_until } = (await detailOf('joe').expect(200)).body
      expect(blocked_until).toBe(period.ends_at)
    })
  })

  it('refuses unknown users and applications', async () => {
    expect((await detailOf('joe').expect(404)).body.code).toBe('user_not_found')
    expect((await detailOf('joe', 'unknown').expect(404)).body.code).toBe('application_not_found')
    await insights.consume([task('no-workspace', 'joe')])
    expect((await detailOf('joe', 'no-workspace').expect(404)).body.code).toBe('application_not_found')
    await detailOf('a\0').expect(400)
    await insights.admin.get(`/admin/users/detail?app_key=${workspace.appKey}`).expect(400)
  })
})

describe('GET /admin/users', () => {
  type User = { user_id: string }
  const list = (query = '') => insights.admin.get(`/admin/users?app_key=${workspace.appKey}${query}`)
  const found = async (query: string) => (await list(query).expect(200)).body.users.map(({ user_id }: User) => user_id)

  it('returns the statuses of the list of area B with the reset, the source of the limit and the block', async () => {
    await insights.admin.put(`/admin/applications/${workspace.appKey}`, { workspace_id: workspace.id, on_limit: 'block' }).expect(200)
    await workspace.setDefault(4).expect(200)
    await workspace.setLimits([{ user_id: 'new', allowed_tasks: 7 }]).expect(200)
    await insights.consume(workspace.tasks('joe', 4))
    const { body: statuses } = await workspace.list().expect(200)
    await eventually(async () => {
      const { period, blocked_until } = (await detailOf('joe').expect(200)).body
      expect((await list().expect(200)).body).toEqual({
        users: [
          { ...statuses[0], limit_source: 'default', resets_at: period.ends_at, blocked_until: period.ends_at },
          { ...statuses[1], limit_source: 'own', resets_at: null, blocked_until: null },
        ],
        _cursor: null,
      })
      expect(blocked_until).toBe(period.ends_at)
    })
    expect(await found('&state=blocked')).toEqual(['joe'])
    // The service soon blocks the user again, who is still at the limit.
    await eventually(async () => {
      await sql`update blocking set blocked_until = now() - interval '1 second'`.execute(insights.db)
      expect(await found('&state=blocked')).toEqual([])
      expect((await list().expect(200)).body.users).toMatchObject([{ blocked_until: null }, { blocked_until: null }])
    })
  })

  it('filters by state, by the source of the limit and by a part of the id, in pages', async () => {
    const users = ['a', 'b', 'c', 'd'].map((user_id) => ({ user_id, allowed_tasks: 10 }))
    await workspace.setLimits(users).expect(200)
    await insights.consume([...workspace.tasks('a', 10), ...workspace.tasks('b', 8), ...workspace.tasks('c', 7)])
    expect(await found('&state=reached')).toEqual(['a'])
    expect(await found('&state=near')).toEqual(['b'])
    expect(await found('&state=blocked')).toEqual([])
    await workspace.setAll(20).expect(200)
    await workspace.setDefault(30).expect(200)
    await workspace.setLimits([{ user_id: 'c', allowed_tasks: 30 }]).expect(200)
    await workspace.setLimits([{ user_id: 'd', allowed_tasks: 1 }]).expect(200)
    expect(await found('&limit_source=bulk')).toEqual(['a', 'b'])
    expect(await found('&limit_source=default')).toEqual(['c'])
    expect(await found('&limit_source=own')).toEqual(['d'])
    // If the two limits are equal, it is the bulk limit, as in the detail of a user.
    await workspace.setDefault(20).expect(200)
    expect([await found('&limit_source=bulk'), await found('&limit_source=default')]).toEqual([['a', 'b'], []])
    expect((await detailOf('a').expect(200)).body.limit_source).toBe('bulk')
    expect(await found('&search=B')).toEqual(['b'])
    const { body: first } = await list('&page_size=3').expect(200)
    expect(first.users.map(({ user_id }: User) => user_id)).toEqual(['a', 'b', 'c'])
    expect(await found(`&page_size=3&_cursor=${first._cursor}`)).toEqual(['d'])
  })

  it('orders by usage, the highest percentage first, in pages, with and without a filter', async () => {
    const limits = { a: 10, b: 4, c: 0, d: 10, e: 3, f: 10, unused: 1 }
    await workspace.setLimits(Object.entries(limits).map(([user_id, allowed_tasks]) => ({ user_id, allowed_tasks }))).expect(200)
    const tasks = { a: 5, b: 6, d: 5, e: 1, f: 12 }
    await insights.consume(Object.entries(tasks).flatMap(([user, count]) => workspace.tasks(user, count)))
    const pagesOf = async (query: string) => {
      const pages: string[][] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const { body }: { body: { users: User[]; _cursor: string | null } } = await list(
          `&order=usage&page_size=2${query}${cursor === '' ? '' : `&_cursor=${cursor}`}`,
        ).expect(200)
        pages.push(body.users.map(({ user_id }) => user_id))
        cursor = body._cursor
      }
      return pages
    }
    expect(await pagesOf('')).toEqual([['b', 'f'], ['c', 'a'], ['d', 'e'], ['unused']])
    expect(await pagesOf('&state=reached')).toEqual([['b', 'f'], ['c']])
    await workspace.setAll(100).expect(200)
    expect(await pagesOf('')).toEqual([['f', 'b'], ['a', 'd'], ['e', 'c'], ['unused']])
    const { body } = await list('&page_size=2').expect(200)
    await list(`&order=usage&_cursor=${body._cursor}`).expect(400)
  })

  it('refuses unknown applications and states', async () => {
    await insights.admin.get('/admin/users?app_key=unknown').expect(404)
    for (const query of ['&state=over', '&order=name', '&limit_source=other', '&page_size=0', '&_cursor=x']) await list(query).expect(400)
  })
})

describe('GET /admin/tasks/:call_id', () => {
  const read = async (id: string, appKey = workspace.appKey) =>
    (await insights.admin.get(`/admin/tasks/${id}?app_key=${appKey}`).expect(200)).body
  const NOT_COUNTED = { counted: false, occurred_at: null, quarantined: null }

  it('finds a counted task in its own application only', async () => {
    const [event] = workspace.tasks('joe', 1)
    if (event === undefined) throw new Error('no event')
    const other = await insights.workspace()
    expect(await read(event.id)).toEqual(NOT_COUNTED)
    await insights.consume([event])
    expect(await read(event.id.toUpperCase())).toEqual({ counted: true, occurred_at: event.occurred_at, quarantined: null })
    expect(await read(event.id, other.appKey)).toEqual(NOT_COUNTED)
    expect(await read('nonsense')).toEqual(NOT_COUNTED)
  })

  it('says why a task in quarantine was not counted', async () => {
    const [event] = workspace.tasks('joe', 1, daysAgo(36))
    const other = await insights.workspace()
    await insights.consume([event])
    const id = event?.id ?? ''
    expect(await read(id)).toEqual({ ...NOT_COUNTED, quarantined: 'occurred_at: is more than 35 days ago' })
    expect(await read(id, other.appKey)).toEqual(NOT_COUNTED)
  })

  it('finds many tasks with one request, in their order', async () => {
    const [counted, waiting] = workspace.tasks('joe', 2)
    const [late] = workspace.tasks('joe', 1, daysAgo(36))
    if (counted === undefined || waiting === undefined || late === undefined) throw new Error('no events')
    await insights.consume([counted, late])
    const ids = [late.id, 'nonsense', counted.id, waiting.id]
    const { body } = await insights.admin.get(`/admin/tasks?app_key=${workspace.appKey}&call_ids=${ids.join(',')}`).expect(200)
    expect(body.tasks).toEqual([
      { call_id: late.id, ...NOT_COUNTED, quarantined: 'occurred_at: is more than 35 days ago' },
      { call_id: 'nonsense', ...NOT_COUNTED },
      { call_id: counted.id, counted: true, occurred_at: counted.occurred_at, quarantined: null },
      { call_id: waiting.id, ...NOT_COUNTED },
    ])
    const tooMany = Array.from({ length: 101 }, () => counted.id).join(',')
    await insights.admin.get(`/admin/tasks?app_key=${workspace.appKey}&call_ids=${tooMany}`).expect(400)
  })

  it('refuses an unknown application', async () => {
    const { body } = await insights.admin.get('/admin/tasks/nonsense?app_key=unknown').expect(404)
    expect(body.code).toBe('application_not_found')
  })
})

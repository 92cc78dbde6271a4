import { sql } from 'kysely'
import { daysAgo } from './insights.ts'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

type User = { user_id: string; tasks_consumed_percent: number }

const list = (filter = '') => workspace.send('get', `/partners/api/insights/users/tasks/?app_key=${workspace.appKey}${filter}`)
const idsOf = (users: readonly User[]) => users.map((user) => user.user_id)
const found = async (filter: string) => idsOf((await list(filter).expect(200)).body)

/** Creates users a to e with 0, 1, 2, 3 and 4 tasks and a limit of 3, and one with a limit of 0. */
async function sixUsers(): Promise<void> {
  const limits = ['a', 'b', 'c', 'd', 'e', 'zero'].map((user_id) => ({ user_id, allowed_tasks: user_id === 'zero' ? 0 : 3 }))
  await workspace.setLimits(limits).expect(200)
  await insights.consume(['b', 'c', 'd', 'e'].flatMap((user, i) => workspace.tasks(user, i + 1)))
}

describe('GET users/tasks, in pages', () => {
  beforeEach(sixUsers)

  it('returns every user once, in order, and a null cursor on the last page', async () => {
    const pages: string[][] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body }: { body: { users: User[]; _cursor: string | null } } = await list(
        `&page_size=2${cursor === '' ? '' : `&_cursor=${cursor}`}`,
      ).expect(200)
      pages.push(idsOf(body.users))
      cursor = body._cursor
    }
    expect(pages).toEqual([
      ['a', 'b'],
      ['c', 'd'],
      ['e', 'zero'],
    ])
  })

  it('returns the same statuses as the complete list', async () => {
    const { body: all } = await list().expect(200)
    expect((await list('&page_size=10000').expect(200)).body).toEqual({ users: all, _cursor: null })
  })

  it('continues from a cursor without a page size, while users come and go', async () => {
    const { body } = await list('&page_size=3').expect(200)
    await workspace.setLimits([
      { user_id: 'aa', allowed_tasks: 1 },
      { user_id: 'dd', allowed_tasks: 1 },
    ])
    const { body: rest } = await list(`&_cursor=${body._cursor}`).expect(200)
    expect([idsOf(rest.users), rest._cursor]).toEqual([['d', 'dd', 'e', 'zero'], null])
  })

  it('compares at most 50,000 users with a filter for one page, and continues after them', async () => {
    await sql`
      insert into usage_user (app_key, user_id, task_limit, limit_seq)
      select ${workspace.appKey}, 'many-' || lpad(n::text, 5, '0'), 1, 1 from generate_series(1, 60000) n`.execute(insights.db)
    const { body } = await list('&page_size=10&search=many-60000').expect(200)
    expect(body).toEqual({ users: [], _cursor: expect.any(String) })
    const { body: rest } = await list(`&page_size=10&search=many-60000&_cursor=${body._cursor}`).expect(200)
    expect([idsOf(rest.users), rest._cursor]).toEqual([['many-60000'], null])
    expect(await found('&search=many-60000')).toEqual(['many-60000'])
  })

  it('applies the filters to all pages', async () => {
    const { body } = await list('&page_size=2&limit_reached=true').expect(200)
    expect(idsOf(body.users)).toEqual(['d', 'e'])
    expect(idsOf((await list(`&page_size=2&limit_reached=true&_cursor=${body._cursor}`).expect(200)).body.users)).toEqual(['zero'])
  })

  it.each(['page_size=0', 'page_size=10001', 'page_size=1.5', 'page_size=x', '_cursor=x', '_cursor=WzFd', 'page_size=1&page_size=2'])(
    'refuses %s',
    async (query) => {
      expect((await list(`&${query}`).expect(400)).body.code).toBe('invalid_parameters')
    },
  )

  it('refuses a cursor with NUL', async () => {
    const cursor = Buffer.from(JSON.stringify(['a\0'])).toString('base64url')
    expect((await list(`&_cursor=${cursor}`).expect(400)).body.code).toBe('invalid_parameters')
  })
})

describe('GET users/tasks, with filters', () => {
  beforeEach(sixUsers)

  it.each([
    ['min_percent=33.33', ['b', 'c', 'd', 'e', 'zero']],
    ['min_percent=33.34', ['c', 'd', 'e', 'zero']],
    ['max_percent=66.66', ['a', 'b', 'c']],
    ['max_percent=66.65', ['a', 'b']],
    ['min_percent=33.33&max_percent=66.66', ['b', 'c']],
    ['min_percent=101', ['e']],
    ['limit_reached=true', ['d', 'e', 'zero']],
    ['limit_reached=false', ['a', 'b', 'c']],
    ['limit_reached=true&max_percent=100', ['d', 'zero']],
    ['search=Z', ['zero']],
    ['search=nobody', []],
    ['search=', ['a', 'b', 'c', 'd', 'e', 'zero']],
  ])('filters by %s', async (filter, expected) => {
    expect(await found(`&${filter}`)).toEqual(expected)
  })

  it('filters by the limit that applies and by the current period', async () => {
    await insights.consume(workspace.tasks('old', 100, daysAgo(31)))
    await workspace.setAll(2)
    expect(await found('&limit_reached=true')).toEqual(['c', 'd', 'e'])
    await workspace.setLimits([{ user_id: 'c', allowed_tasks: 100 }])
    expect(await found('&limit_reached=true')).toEqual(['d', 'e'])
    expect(await found('&search=old&max_percent=0')).toEqual(['old'])
  })

  it('treats the search as text, not as a pattern, and ignores case', async () => {
    const ids = ['100%@x', '100x@x', 'a_b', 'axb', 'Jörg@x', 'back\\slash']
    await workspace.setLimits(ids.map((user_id) => ({ user_id, allowed_tasks: 1 })))
    for (const [search, expected] of [
      ['0%@', ['100%@x']],
      ['A_B', ['a_b']],
      ['jörg', ['Jörg@x']],
      ['\\', ['back\\slash']],
    ] as const) {
      expect(await found(`&search=${encodeURIComponent(search)}`)).toEqual(expected)
    }
  })

  it('filters by the percentage in the response, however large the numbers are', async () => {
    const limit = Number.MAX_SAFE_INTEGER
    await workspace.setLimits([{ user_id: 'big', allowed_tasks: limit }])
    await insights.consume(workspace.tasks('big', 1))
    await insights.db
      .updateTable('usage_period')
      .set({ consumed: limit - 1 })
      .where('user_id', '=', 'big')
      .execute()
    const { body } = await list('&search=big&max_percent=99.99').expect(200)
    expect(body).toMatchObject([{ tasks_consumed_percent: 99.99 }])
    expect(await found('&search=big&min_percent=100')).toEqual([])
  })

  it('streams more users than one page holds, also with filters', async () => {
    const users = Array.from({ length: 12_300 }, (_, i) => ({
      user_id: `user-${String(i).padStart(5, '0')}`,
      allowed_tasks: i % 2 === 0 ? 0 : 5,
    }))
    for (const from of [0, 5_000, 10_000]) await workspace.setLimits(users.slice(from, from + 5_000)).expect(200)
    const all = users.map((user) => user.user_id)
    expect(await found('&search=USER-')).toEqual(all)
    expect(await found('&limit_reached=true&search=USER-')).toEqual(all.filter((_, i) => i % 2 === 0))
    // Exactly one full page.
    expect(await found('&search=user-00')).toEqual(all.slice(0, 1_000))
  })

  it.each(['min_percent=x', 'min_percent=-1', 'max_percent=-1', 'limit_reached=perhaps', 'search=a%00b', `search=${'x'.repeat(1_025)}`])(
    'refuses %s',
    async (filter) => {
      expect((await list(`&${filter}`).expect(400)).body.code).toBe('invalid_parameters')
    },
  )
})

import { DAY_MS } from '@onward/contract'
import { useInsights, useWorkspace } from './use-insights.ts'

const insights = useInsights()
const workspace = useWorkspace(insights)

type Page = {
  readonly users: { user_id: string; tasks: number }[]
  readonly final: boolean
  readonly final_at: string
  _cursor: string | null
}

const path = (month: string) => `/admin/workspaces/${workspace.id}/usage/${month}`

/** Reads all pages of a month. */
async function read(month: string, size = 1_000): Promise<Omit<Page, '_cursor'>> {
  const pages: Page[] = []
  for (let cursor: string | null | undefined; cursor !== null; cursor = pages.at(-1)?._cursor) {
    const query = { page_size: size, ...(cursor === undefined ? {} : { _cursor: cursor }) }
    pages.push((await insights.admin.get(path(month)).query(query).expect(200)).body)
  }
  const [{ final, final_at }] = pages as [Page]
  return { users: pages.flatMap(({ users }) => users), final, final_at }
}

const monthOf = (time: Date) => time.toISOString().slice(0, 7)

describe('GET /admin/workspaces/<workspace_id>/usage/<month>', () => {
  it('has the tasks of each user in the months of their events, as many as there are events', async () => {
    const times = [0, 3, 12, 20, 29, 34].map((days) => new Date(Date.now() - days * DAY_MS))
    const events = times.flatMap((at, n) => ['ann', 'bea', 'Zoë, "the boss"'].flatMap((user) => workspace.tasks(user, n + user.length, at)))
    await insights.consume(events)
    // The same events a second time change nothing.
    await insights.consume(events.slice(0, 40))
    for (const month of new Set(times.map(monthOf))) {
      const expected = new Map<string, number>()
      for (const { user_id, occurred_at } of events) {
        if (occurred_at.startsWith(month)) expected.set(user_id, (expected.get(user_id) ?? 0) + 1)
      }
      const { users, final } = await read(month, 1)
      expect(Object.fromEntries(users.map(({ user_id, tasks }) => [user_id, tasks]))).toEqual(Object.fromEntries(expected))
      expect(final).toBe(false)
    }
  })

  it('is final when no task of the month can be counted any more', async () => {
    await insights.consume(workspace.tasks('ann', 1))
    const days = { '2024-01-31': 100, '2024-02-01': 3, '2024-02-29': 4, '2024-03-01': 100 }
    const rows = Object.entries(days).map(([day, consumed]) => ({ app_key: workspace.appKey, user_id: 'ann', day, consumed }))
    await insights.db.insertInto('usage_day').values(rows).execute()
    expect(await read('2024-02')).toEqual({
      users: [{ app_key: workspace.appKey, user_id: 'ann', tasks: 7 }],
      final: true,
      final_at: '2024-04-05T01:00:00.000Z',
    })
    const now = new Date()
    const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    expect(await read(monthOf(now))).toMatchObject({ final: false, final_at: new Date(+next + 35 * DAY_MS + 3_600_000).toISOString() })
  })

  it.each(['2026-13', '2026-1', '202610', '2026-10-01'])('refuses the month %s', async (month) => {
    const { body } = await insights.admin.get(path(month)).expect(400)
    expect(body.error_details).toEqual(['month: must be a month such as 2026-10'])
  })

  it('has the tasks of deleted applications, and can be restricted to one application', async () => {
    const other = `${workspace.id}-other`
    await insights.admin.put(`/admin/applications/${other}`, { workspace_id: workspace.id }).expect(200)
    await insights.consume([...workspace.tasks('ann', 2), ...workspace.tasks('bea', 1).map((event) => ({ ...event, app_key: other }))])
    await insights.admin.delete(`/admin/applications/${other}`).expect(200)
    const month = monthOf(new Date())
    const ofOther = { app_key: other, user_id: 'bea', tasks: 1 }
    const { users } = await read(month, 1)
    expect(users).toEqual(expect.arrayContaining([{ app_key: workspace.appKey, user_id: 'ann', tasks: 2 }, ofOther]))
    const { body } = await insights.admin.get(path(month)).query({ app_key: other }).expect(200)
    expect(body.users).toEqual([ofOther])
  })

  it('knows no other workspace, and no application of another workspace', async () => {
    await insights.admin.get('/admin/workspaces/unknown/usage/2026-10').expect(404)
    const { appKey } = await insights.workspace()
    const { body } = await insights.admin.get(path('2026-10')).query({ app_key: appKey }).expect(404)
    expect(body.code).toBe('application_not_found')
  })
})

import { isError, task, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
let workspace: Workspace
/** Set for each test, as midnight can pass between tests. */
let now: Date
beforeEach(async () => {
  workspace = await insights.workspace()
  now = new Date()
})

type Day = { date: string; tasks_consumed: number }

const ago = (days: number) => new Date(+now - days * 86_400_000)
const dateOf = (at: Date) => at.toISOString().slice(0, 10)
const invalid = (...error_details: string[]) => ({ error: 'the parameters are not valid', error_details, code: 'invalid_parameters' })
const history = (userId: string, range = '', appKey = workspace.appKey) =>
  workspace.send('get', `/partners/api/insights/users/${encodeURIComponent(userId)}/tasks/history/?app_key=${appKey}${range}`)
const daysOf = async (userId: string, range = ''): Promise<Day[]> => (await history(userId, range).expect(200)).body.days
const busy = (days: readonly Day[]) => days.filter((day) => day.tasks_consumed > 0)

describe('GET users/<id>/tasks/history', () => {
  it('returns the last 30 days, oldest first, including days without a task', async () => {
    await insights.consume([
      ...workspace.tasks('joe', 2, ago(29)),
      ...workspace.tasks('joe', 3, now),
      ...workspace.tasks('joe', 5, ago(31)),
    ])
    const { body } = await history('joe').expect(200)
    expect(body.user_id).toBe('joe')
    expect(body.days.map((day: Day) => day.date)).toEqual(Array.from({ length: 30 }, (_, i) => dateOf(ago(29 - i))))
    expect(busy(body.days)).toEqual([
      { date: dateOf(ago(29)), tasks_consumed: 2 },
      { date: dateOf(now), tasks_consumed: 3 },
    ])
  })

  it('ends a day at midnight UTC', async () => {
    const midnight = new Date(`${dateOf(ago(3))}T00:00:00Z`)
    await insights.consume([...workspace.tasks('joe', 1, new Date(midnight.getTime() - 1)), ...workspace.tasks('joe', 4, midnight)])
    expect(busy(await daysOf('joe'))).toEqual([
      { date: dateOf(ago(4)), tasks_consumed: 1 },
      { date: dateOf(ago(3)), tasks_consumed: 4 },
    ])
  })

  it('counts a repeated task once and a late task on its own day', async () => {
    const late = task(workspace.appKey, 'joe', ago(20))
    const today = task(workspace.appKey, 'joe', now)
    await insights.consume([today, today])
    await insights.consume([late, today])
    await insights.consume([late, ...workspace.tasks('joe', 3, ago(20))])
    expect(busy(await daysOf('joe'))).toEqual([
      { date: dateOf(ago(20)), tasks_consumed: 4 },
      { date: dateOf(now), tasks_consumed: 1 },
    ])
  })

  it('separates users and applications', async () => {
    const other = await insights.workspace()
    await insights.consume([...workspace.tasks('joe', 1), ...workspace.tasks('ann', 2), ...other.tasks('joe', 4)])
    expect(busy(await daysOf('joe'))).toMatchObject([{ tasks_consumed: 1 }])
  })

  it.each([
    ['one day', '&since=2024-02-29&until=2024-02-29', ['2024-02-29', '2024-02-29', 1]],
    ['a leap year', '&since=2024-01-01&until=2024-12-31', ['2024-01-01', '2024-12-31', 366]],
    ['30 days before a given end', '&until=2026-03-10', ['2026-02-09', '2026-03-10', 30]],
    ['the days around a change to daylight saving time', '&since=2026-03-28&until=2026-03-30', ['2026-03-28', '2026-03-30', 3]],
    ['the first possible days', '&since=0000-01-01&until=0000-01-02', ['0000-01-01', '0000-01-02', 2]],
    ['the last possible day', '&since=9999-12-31&until=9999-12-31', ['9999-12-31', '9999-12-31', 1]],
  ])('returns %s', async (_what, range, [first, last, count]) => {
    await insights.consume(workspace.tasks('joe', 1))
    const days = await daysOf('joe', range)
    expect([days[0]?.date, days.at(-1)?.date, days.length]).toEqual([first, last, count])
  })

  it('returns the days from since until today', async () => {
    await insights.consume(workspace.tasks('joe', 1))
    expect((await daysOf('joe', `&since=${dateOf(ago(2))}`)).map((day) => day.date)).toEqual([2, 1, 0].map((n) => dateOf(ago(n))))
  })

  it.each([
    ['a day that does not exist', '&since=2026-02-30', 'since: must be a valid date'],
    ['a time', '&until=2026-02-03T00:00:00Z', 'until: must be a valid date'],
    ['an end before the start', '&since=2026-02-02&until=2026-02-01', 'since: must not be after until'],
    ['a start after today', '&since=9999-01-01', 'since: must not be after today'],
    ['367 days', '&since=2025-01-01&until=2026-01-02', 'since: must be at most 366 days before the end, both days included'],
  ])('refuses %s', async (_what, range, problem) => {
    await insights.consume(workspace.tasks('joe', 1))
    await history('joe', range)
      .expect(400)
      .expect(isError(invalid(problem)))
  })

  it('answers 404 for unknown users and for applications of other workspaces', async () => {
    const other = await insights.workspace()
    await insights.consume(other.tasks('joe', 1))
    expect((await history('joe').expect(404)).body.code).toBe('user_not_found')
    expect((await history('joe', '', other.appKey).expect(404)).body.code).toBe('application_not_found')
    expect((await history('a\0b').expect(400)).body.code).toBe('invalid_user_id')
  })
})

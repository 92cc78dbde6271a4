import { taskStatus, taskStatusWithPercents } from '../src/rules/status.ts'

const now = new Date('2026-03-01T12:00:00Z')
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const usage = { userId: 'joe@example.com', limit: 1_000, consumed: 0, days: 30, endsAt: inDays(30) }

describe('taskStatus', () => {
  it('has the fields of the contract without the percentages', () => {
    expect(taskStatus({ ...usage, consumed: 250 }, now)).toEqual({
      user_id: 'joe@example.com',
      current_limit: 1_000,
      limit_period: '30',
      tasks_consumed: 250,
      tasks_remaining: 750,
      limit_reset_after: 30,
    })
  })

  it.each([
    ['the whole period before the first task', null, 30],
    ['the whole period at its start', inDays(30), 30],
    ['the days rounded up', inDays(29.01), 30],
    ['a whole day exactly', inDays(29), 29],
    ['one day in the last second', new Date(now.getTime() + 1_000), 1],
    ['zero at the end', now, 0],
    ['zero for an ended period', inDays(-3), 0],
    ['never more than the period', inDays(31), 30],
  ])('limit_reset_after is %s', (_what, endsAt, days) => {
    expect(taskStatus({ ...usage, endsAt }, now).limit_reset_after).toBe(days)
  })
})

describe('taskStatusWithPercents', () => {
  it.each([
    [1_000, 0, 0, 100, 1_000],
    [1_000, 800, 80, 20, 200],
    [100_000, 79_996, 79.99, 20, 20_004],
    [3, 1, 33.33, 66.66, 2],
    [1_000, 1_000, 100, 0, 0],
    [1_000, 1_255, 125.5, 0, 0],
    [0, 0, 100, 0, 0],
    [0, 7, 100, 0, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1, 99.99, 0, 1],
  ])(
    'limit %i, consumed %i: %d %% consumed, %d %% and %i tasks remain',
    (limit, consumed, consumedPercent, remainingPercent, remaining) => {
      expect(taskStatusWithPercents({ ...usage, limit, consumed }, now)).toMatchObject({
        tasks_consumed_percent: consumedPercent,
        tasks_remaining_percent: remainingPercent,
        tasks_remaining: remaining,
      })
    },
  )
})

import { daysOfPeriod, noonOfDay, periodPoints, reachedAt } from '../src/pages/users/period-points.ts'

const period = { starts_at: '2026-11-01T18:00:00.000Z', ends_at: '2026-11-05T18:00:00.000Z' }
const days = [
  { date: '2026-11-01', tasks_consumed: 9 },
  { date: '2026-11-02', tasks_consumed: 2 },
  { date: '2026-11-03', tasks_consumed: 3 },
]
const now = new Date('2026-11-03T12:00:00Z')

describe('the curve of a period', () => {
  it('climbs to what is consumed, without the tasks of the first day that belong to the period before', () => {
    expect(periodPoints(days, period, 10, now)).toEqual([
      { at: new Date('2026-11-01T12:00:00Z'), total: 5 },
      { at: new Date('2026-11-02T12:00:00Z'), total: 7 },
      { at: new Date('2026-11-03T12:00:00Z'), total: 10 },
      { at: new Date('2026-11-04T12:00:00Z'), total: null },
      { at: new Date('2026-11-05T12:00:00Z'), total: null },
    ])
  })

  it('never begins below zero, when the history is newer than the usage', () => {
    expect(periodPoints(days, period, 4, now)[0]?.total).toBe(0)
  })

  it('does not show a day on which the period has just ended', () => {
    const midnight = { starts_at: '2026-11-01T00:00:00.000Z', ends_at: '2026-11-03T00:00:00.000Z' }
    expect(periodPoints(days, midnight, 11, now).map(({ total }) => total)).toEqual([9, 11])
  })

  it('needs the history from its first day to today', () => {
    expect(daysOfPeriod(period, now)).toEqual({ since: '2026-11-01', until: '2026-11-03' })
    expect(daysOfPeriod(period, new Date('2026-12-01T00:00:00Z'))).toEqual({ since: '2026-11-01', until: '2026-11-05' })
    expect(daysOfPeriod(period, new Date('2026-10-31T23:00:00Z'))).toEqual({ since: '2026-11-01', until: '2026-11-01' })
  })

  it('marks a notice on its day', () => {
    expect(noonOfDay('2026-11-02T23:59:59.000Z')).toEqual(new Date('2026-11-02T12:00:00Z'))
  })
})

describe('the time at which a limit would be reached', () => {
  it('follows from the average since the start of the period', () => {
    // 42 hours for 10 tasks: 21 hours for 5 more.
    expect(reachedAt(10, 15, period, now)).toEqual(new Date('2026-11-04T09:00:00Z'))
  })

  it.each([
    ['the limit is reached already', 15, 15],
    ['the pace is too low', 10, 1000],
    ['nothing is consumed', 0, 15],
  ])('is unknown when %s', (_why, consumed, limit) => {
    expect(reachedAt(consumed, limit, period, now)).toBeUndefined()
  })

  it('is unknown in the first day', () => {
    expect(reachedAt(1, 15, period, new Date('2026-11-02T17:30:00Z'))).toBeUndefined()
  })
})

import { type LimitPeriod, periodAt } from '../src/rules/period.ts'

const day = (n: number) => new Date(Date.UTC(2026, 0, 1, 6) + n * 86_400_000)
const always: LimitPeriod[] = [{ days: 30, from: null }]

describe('periodAt', () => {
  it.each([
    ['at the anchor', 0, 0, 30],
    ['just before the end', 29.999, 0, 30],
    ['at the end', 30, 30, 60],
    ['long after', 365, 360, 390],
    ['up to five minutes before the anchor', -5 / 1_440, 0, 30],
    ['more than five minutes before the anchor', -5.001 / 1_440, -30, 0],
    ['at the start of period −1', -30, -30, 0],
    ['in period −2', -30.001, -60, -30],
  ])('returns the period of 30 days %s', (_when, at, startsAt, endsAt) => {
    expect(periodAt(day(0), always, day(at))).toEqual({ startsAt: day(startsAt), endsAt: day(endsAt) })
  })

  const changed: LimitPeriod[] = [
    { days: 30, from: null },
    { days: 7, from: day(40) },
  ]
  it.each([
    ['keeps the period that is current at the change', 59, 30, 60],
    ['begins with the new length when that period ends', 60, 60, 67],
    ['continues with the new length', 80, 74, 81],
    ['does not change periods before the change', 3, 0, 30],
    ['counts periods before the anchor with the first length', -1, -30, 0],
  ])('%s', (_what, at, startsAt, endsAt) => {
    expect(periodAt(day(0), changed, day(at))).toEqual({ startsAt: day(startsAt), endsAt: day(endsAt) })
  })

  it('uses the new length at once for a user whose first task comes after the change', () => {
    expect(periodAt(day(41), changed, day(45))).toEqual({ startsAt: day(41), endsAt: day(48) })
    expect(periodAt(day(41), changed, day(40))).toEqual({ startsAt: day(34), endsAt: day(41) })
  })

  it('uses the later of two changes in one period', () => {
    const twice = [...changed, { days: 10, from: day(50) }]
    expect(periodAt(day(0), twice, day(59))).toEqual({ startsAt: day(30), endsAt: day(60) })
    expect(periodAt(day(0), twice, day(60))).toEqual({ startsAt: day(60), endsAt: day(70) })
  })

  it('treats a change at the start of a period as a change in it', () => {
    const atStart: LimitPeriod[] = [...always, { days: 7, from: day(30) }]
    expect(periodAt(day(0), atStart, day(30))).toEqual({ startsAt: day(30), endsAt: day(60) })
    expect(periodAt(day(0), atStart, day(60))).toEqual({ startsAt: day(60), endsAt: day(67) })
  })

  it('covers time without gap or overlap after any changes', () => {
    const periods = [...changed, { days: 1, from: day(75) }, { days: 366, from: day(77.5) }]
    let { endsAt } = periodAt(day(0), periods, day(-90))
    for (let i = 0; i < 60; i++) {
      const period = periodAt(day(0), periods, endsAt)
      expect(period.startsAt).toEqual(endsAt)
      expect(periodAt(day(0), periods, new Date(period.endsAt.getTime() - 360_000))).toEqual(period)
      endsAt = period.endsAt
    }
  })
})

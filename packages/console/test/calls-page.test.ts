import { CALLS_ADDRESS, filterOf, firstIdAt } from '../src/pages/calls/filters.ts'
import { barsOf, windowOf } from '../src/pages/calls/histogram-bars.ts'
import { isLate, isTask, noticesAfter } from '../src/pages/calls/task-rules.ts'

const NOW = new Date('2026-11-23T12:30:00.000Z')
const HOUR = 3_600_000
const hoursAgo = (hours: number) => new Date(+NOW - hours * HOUR)
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

describe('the filters of the calls', () => {
  it('become a query, with the last 24 hours by default', () => {
    const values = CALLS_ADDRESS.parse({ user: 'joe', status: '404', slow: '1000', failed: '1' })
    expect(filterOf(values, { workspaceId: 'acme', appKey: 'ak' }, NOW)).toEqual({
      workspace_id: 'acme',
      app_key: 'ak',
      refused: true,
      user_id: 'joe',
      network_code: 404,
      min_duration_ms: 1000,
      failed: true,
      since: hoursAgo(24).toISOString(),
    })
  })

  it('know a period that has ended', () => {
    const period = `${hoursAgo(3).toISOString()}..${hoursAgo(2).toISOString()}`
    const { since, until } = filterOf(CALLS_ADDRESS.parse({ period }), { workspaceId: 'acme', appKey: undefined }, NOW)
    expect([since, until]).toEqual(period.split('..'))
  })

  it('ask for calls after the lowest id of a time', () => {
    expect(firstIdAt(new Date(0x019ac2f47b3d))).toBe('019ac2f4-7b3d-7000-8000-000000000000')
  })
})

describe('the chart of the calls', () => {
  it.each([
    ['the hours of a day', 24, { step: 'hour', cut: false, hours: 24 }],
    ['the hours around an hour', 1, { step: 'hour', cut: false, hours: 12 }],
    ['the hours of a week', 24 * 7, { step: 'hour', cut: false, hours: 168 }],
    ['the days of a month', 24 * 30, { step: 'day', cut: false, hours: 720 }],
    ['the last days of a year', 24 * 365, { step: 'day', cut: true, hours: 99 * 24 }],
  ])('shows %s', (_, hours, expected) => {
    const { since, until, step, cut } = windowOf(hoursAgo(hours), NOW)
    expect({ step, cut, hours: (+until - +since) / HOUR }).toEqual(expected)
  })

  it('parts the calls that failed, and those outside the period', () => {
    const hours = [10, 11].map((hour) => ({
      hour: new Date(Date.UTC(2026, 10, 23, hour)).toISOString(),
      key: null,
      calls: 5,
      tasks: 5,
      failed: 2,
      p50_ms: 1,
      p95_ms: 1,
    }))
    const window = windowOf(new Date('2026-11-23T11:00:00Z'), new Date('2026-11-23T12:00:00Z'))
    const bars = (failedOnly: boolean) =>
      barsOf(hours, window, new Date('2026-11-23T11:00:00Z'), failedOnly, dayOf).map(({ values }) => values)
    expect(bars(false)).toEqual([...Array.from({ length: 10 }, () => [null, null, 0]), [null, null, 5], [3, 2, null]])
    expect(bars(true)).toEqual([...Array.from({ length: 10 }, () => [null, 0]), [null, 2], [2, null]])
  })
})

describe('the task of a call', () => {
  const call = { started_at: NOW.toISOString(), duration_ms: 500 }

  it('is late two minutes after the end of the call', () => {
    expect(isLate(call, new Date(+NOW + 120_500))).toBe(false)
    expect(isLate(call, new Date(+NOW + 120_501))).toBe(true)
  })

  it('does not exist if nothing was sent, or if Onward made the call', () => {
    expect(isTask({ outcome: 'no_answer' })).toBe(true)
    expect(isTask({ outcome: 'unreachable' })).toBe(false)
    expect(isTask({ outcome: 'answered', internal: true })).toBe(false)
  })

  it('goes with the notices that were created right after it', () => {
    const notice = (ms: number) => ({ event_name: 'user_tasks_limit_80', at: new Date(+NOW + ms).toISOString(), deliveries: [] })
    const notices = [-1, 0, 30_500, 30_501].map(notice)
    expect(noticesAfter(call, notices)).toEqual(notices.slice(1, 3))
  })
})

import { everyDay, everyHour, hourOf } from '../src/parts/call-hours.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 23, hour))
const hour = (time: number, calls: number, p95_ms: number | null = 20) => ({
  hour: at(time).toISOString(),
  key: null,
  calls,
  tasks: calls,
  failed: 1,
  p50_ms: null,
  p95_ms,
})

describe('the hours of a period', () => {
  it('begin with the hour of its start and have no gaps', () => {
    const steps = everyHour([hour(9, 3), hour(11, 4)], new Date(+at(8) + 60_000), at(12))
    expect(steps.map((step) => [step.at.getUTCHours(), step.calls, step.p95])).toEqual([
      [8, 0, null],
      [9, 3, 20],
      [10, 0, null],
      [11, 4, 20],
    ])
  })

  it('become days with the sums and the slowest hour', () => {
    const hours = everyHour([hour(22, 3, 50), hour(23, 4, 90), hour(24, 1, null)], at(22), at(25))
    const days = everyDay(hours, (time) => time.toISOString().slice(0, 10))
    expect(days).toEqual([
      { at: at(22), calls: 7, tasks: 7, failed: 2, p50: null, p95: 90 },
      { at: at(24), calls: 1, tasks: 1, failed: 1, p50: null, p95: null },
    ])
  })

  it('start on the hour', () => expect(hourOf(new Date(+at(8) + 3_599_999))).toEqual(at(8)))
})

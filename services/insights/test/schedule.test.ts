import { wakeTime } from '../src/webhooks/queue.ts'
import { judge } from '../src/webhooks/schedule.ts'

const DELAYS_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000]
const now = new Date('2026-03-01T12:00:00Z')
const MIDDLE = 0.5
const answered = (status: number, retryAfter?: string) => ({ status, retryAfter })

describe('judge', () => {
  it('treats only 2xx as delivered and only 410 as gone', () => {
    for (let status = 100; status <= 599; status++) {
      const { kind } = judge(answered(status), 1, DELAYS_MS, now, MIDDLE)
      expect([status, kind]).toEqual([status, status === 410 ? 'gone' : status >= 200 && status < 300 ? 'delivered' : 'retry'])
    }
  })

  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h between ten attempts, then gives up', () => {
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [i, seconds] of waits.entries()) {
      expect(judge({ failure: 'timed_out' }, i + 1, DELAYS_MS, now, MIDDLE)).toEqual({ kind: 'retry', delayMs: seconds * 1_000 })
    }
    expect(judge({ failure: 'timed_out' }, 10, DELAYS_MS, now, MIDDLE)).toEqual({ kind: 'exhausted' })
    expect(judge(answered(200), 10, DELAYS_MS, now, MIDDLE)).toEqual({ kind: 'delivered' })
  })

  it('varies each wait by at most 20 %', () => {
    for (let attempt = 1; attempt <= 9; attempt++) {
      const wait = DELAYS_MS[attempt - 1] ?? Number.NaN
      for (let chance = 0; chance < 1; chance += 0.001) {
        const verdict = judge({ failure: 'broken' }, attempt, DELAYS_MS, now, chance)
        const delayMs = verdict.kind === 'retry' ? verdict.delayMs : Number.NaN
        expect(Math.abs(delayMs - wait)).toBeLessThanOrEqual(0.2 * wait)
      }
    }
  })

  it.each([429, 503, 500, 302])('waits as long as Retry-After says, but not shorter than the schedule, after %d', (status) => {
    for (const [asked, delayMs] of [
      ['600', 600_000],
      ['86400', 86_400_000],
      ['86401', 86_400_000],
      ['1', 5_000],
    ] as const) {
      expect(judge(answered(status, asked), 1, DELAYS_MS, now, MIDDLE)).toEqual({ kind: 'retry', delayMs })
    }
  })

  it.each([
    [0, 4_000],
    [0.25, 4_500],
    [0.75, 5_500],
    [1, 6_000],
  ])('varies a wait with chance %d', (chance, delayMs) => {
    expect(judge(answered(500), 1, DELAYS_MS, now, chance)).toEqual({ kind: 'retry', delayMs })
  })

  it.each([
    ['120', 120_000],
    ['0', 5_000],
    ['3', 5_000],
    ['99999999', 86_400_000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 5_000],
    ['Wed, 01 Apr 2026 12:00:00 GMT', 86_400_000],
    ['Sunday, 01-Mar-26 12:01:00 GMT', 60_000],
    ['Sun Mar  1 12:01:00 2026', 60_000],
    [' 120 ', 120_000],
    ['', 5_000],
    ['soon', 5_000],
    ['-5', 5_000],
  ])('honours Retry-After: %s', (retryAfter, delayMs) => {
    expect(judge(answered(503, retryAfter), 1, DELAYS_MS, now, MIDDLE)).toEqual({ kind: 'retry', delayMs })
  })
})

describe('wakeTime', () => {
  const NOW_MS = 1_772_000_000_123

  it.each(DELAYS_MS)('is after a delivery that is due in %d ms, by at most two seconds or a twentieth of the wait', (delayMs) => {
    for (let late = 0; late < 3_000; late += 7) {
      const after = wakeTime(NOW_MS + late, delayMs) - (NOW_MS + late + delayMs)
      expect(after).toBeGreaterThan(0)
      expect(after).toBeLessThanOrEqual(Math.min(2_048, delayMs / 20))
    }
  })

  it('is the same for deliveries that are due together, so that 100,000 retries make few jobs', () => {
    const times = Array.from({ length: 100_000 }, (_, i) => wakeTime(NOW_MS, 300_000 + (i % 60_000)))
    expect(new Set(times).size).toBeLessThan(65)
  })
})

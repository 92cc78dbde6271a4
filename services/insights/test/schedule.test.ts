import { judge } from '../src/events/schedule.ts'
import { TIMING } from '../src/events/timing.ts'

const now = new Date('2026-03-01T12:00:00Z')
const MIDDLE = 0.5
const answered = (status: number, retryAfter?: string) => ({ status, retryAfter })

describe('judge', () => {
  it('takes only 2xx for delivered, and 410 for gone, of all statuses', () => {
    for (let status = 100; status <= 599; status++) {
      const { kind } = judge(answered(status), 1, TIMING, now, MIDDLE)
      expect([status, kind]).toEqual([status, status === 410 ? 'gone' : status >= 200 && status < 300 ? 'delivered' : 'retry'])
    }
  })

  it('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h between ten attempts, then gives up', () => {
    const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [i, seconds] of waits.entries()) {
      expect(judge({ failure: 'timed_out' }, i + 1, TIMING, now, MIDDLE)).toEqual({ kind: 'retry', delayMs: seconds * 1_000 })
    }
    expect(judge({ failure: 'timed_out' }, 10, TIMING, now, MIDDLE)).toEqual({ kind: 'exhausted' })
    expect(judge(answered(200), 10, TIMING, now, MIDDLE)).toEqual({ kind: 'delivered' })
  })

  it('keeps within 20 % of each wait, whatever chance says', () => {
    for (let attempt = 1; attempt <= 9; attempt++) {
      const wait = TIMING.delaysMs[attempt] ?? Number.NaN
      for (let chance = 0; chance < 1; chance += 0.001) {
        const verdict = judge({ failure: 'broken' }, attempt, TIMING, now, chance)
        const delayMs = verdict.kind === 'retry' ? verdict.delayMs : Number.NaN
        expect(Math.abs(delayMs - wait)).toBeLessThanOrEqual(0.2 * wait)
      }
    }
  })

  it.each([429, 503, 500, 302])('waits as long as Retry-After says, never shorter than the schedule, with %d', (status) => {
    for (const [asked, delayMs] of [
      ['600', 600_000],
      ['86400', 86_400_000],
      ['86401', 86_400_000],
      ['1', 5_000],
    ] as const) {
      expect(judge(answered(status, asked), 1, TIMING, now, MIDDLE)).toEqual({ kind: 'retry', delayMs })
    }
  })

  it.each([
    [0, 4_000],
    [0.25, 4_500],
    [0.75, 5_500],
    [1, 6_000],
  ])('leaves 20 %% of a wait to chance: %d', (chance, delayMs) => {
    expect(judge(answered(500), 1, TIMING, now, chance)).toEqual({ kind: 'retry', delayMs })
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
    expect(judge(answered(503, retryAfter), 1, TIMING, now, MIDDLE)).toEqual({ kind: 'retry', delayMs })
  })
})

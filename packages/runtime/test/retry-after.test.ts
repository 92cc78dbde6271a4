import { parseRetryAfter } from '../src/index.ts'

const NOW = Date.UTC(2026, 10, 22, 12)

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120_000],
    ['1.5', 1_500],
    [String(NOW / 1_000 + 30), 30_000],
    [String(NOW + 30_000), 30_000],
    [String(NOW / 1_000 - 30), 0],
    ['Sun, 22 Nov 2026 12:00:30 GMT', 30_000],
    ['Sun, 22 Nov 2026 12:00:30', 30_000],
    ['Sunday, 22-Nov-26 12:00:30 GMT', 30_000],
    ['Sun Nov 22 12:00:30 2026', 30_000],
    ['Sun, 22 Nov 2026 13:00:30 +0100', 30_000],
    ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
    ['2026-11-22T12:00:30Z', 30_000],
    ['2026-11-22T12:00:30.5', 30_500],
    ['2026-11-22T13:00:30+01:00', 30_000],
    ['30, 60', 60_000],
    ['30,5', 30_000],
  ])('reads %j as %i ms', (header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms)
  })

  it.each(['', '-1', 'soon', 'in 5 minutes', '5 minutes', 'Sun, the 22nd', '1e3', '0x10', '2026-11-22', '5, soon', ',', '9'.repeat(30)])(
    'returns undefined for %j',
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeUndefined()
    },
  )
})

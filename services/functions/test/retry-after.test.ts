import { retryAfterMs } from '../src/onward/retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const SECONDS = { remaining: 'x-left', reset: 'x-reset', unit: 'seconds' } as const

describe('retryAfterMs', () => {
  it.each<[string, number, Record<string, string>, Parameters<typeof retryAfterMs>[2], number | undefined]>([
    ['a success with Retry-After', 200, { 'retry-after': '2' }, null, undefined],
    ['429 with seconds', 429, { 'retry-after': '2' }, null, 2_000],
    ['503 with a date', 503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, null, 3_000],
    ['a date that has passed', 503, { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, null, 0],
    ['429 with a Retry-After that is not a number', 429, { 'retry-after': 'soon' }, null, undefined],
    ['429 with a negative number', 429, { 'retry-after': '-5' }, null, undefined],
    ['429 without a header', 429, {}, null, undefined],
    ["429 with the app's own seconds", 429, { 'x-reset': '4' }, SECONDS, 4_000],
    ["429 with the app's own time", 429, { 'x-reset': '1767225605' }, { ...SECONDS, unit: 'epoch_seconds' }, 5_000],
    ["429 with the app's own time in ms", 429, { 'x-reset': '1767225600250' }, { ...SECONDS, unit: 'epoch_ms' }, 250],
    ['403 with no requests remaining', 403, { 'x-left': '0', 'x-reset': '1' }, SECONDS, 1_000],
    ['403 for another reason', 403, { 'x-left': '7', 'x-reset': '1' }, SECONDS, undefined],
    ["Retry-After beside the app's own", 429, { 'retry-after': '2', 'x-reset': '9' }, SECONDS, 2_000],
  ])('reads the wait after %s', (_what, status, headers, limit, wait) => {
    expect(retryAfterMs(status, headers, limit, NOW)).toBe(wait)
  })
})

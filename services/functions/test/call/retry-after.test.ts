import { retryAfterMs } from '../../src/onward/retry-after.ts'

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
    ["the app's own seconds beside a Retry-After that is not a number", 429, { 'retry-after': 'soon', 'x-reset': '4' }, SECONDS, 4_000],
    ['429 with RateLimit-Reset', 429, { 'ratelimit-reset': '7' }, null, 7_000],
    ['429 with RateLimit', 429, { ratelimit: '"a";r=0;t=5, "b";r=3;t=90, "c"; r=0; t=9' }, null, 9_000],
    ['429 with an older RateLimit', 429, { ratelimit: 'limit=10, remaining=0, reset=8' }, null, 8_000],
    ['429 with requests remaining', 429, { ratelimit: '"a";r=5;t=5' }, null, undefined],
    ['200 with RateLimit-Reset', 200, { 'ratelimit-reset': '7' }, null, undefined],
    ["Retry-After beside the app's own", 429, { 'retry-after': '2', 'x-reset': '9' }, SECONDS, 2_000],
  ])('reads the wait after %s', (_what, status, headers, limit, wait) => {
    expect(retryAfterMs(status, headers, limit, NOW)).toBe(wait)
  })
})

import { type AttemptResult, nextConcurrency } from '../src/webhooks/concurrency.ts'

const ANSWERED: AttemptResult = { failure: null, durationMs: 1 }
const TIMED_OUT: AttemptResult = { failure: 'timed_out', durationMs: 15_000 }

describe('nextConcurrency', () => {
  it.each([
    [2, ANSWERED, 3],
    [16, ANSWERED, 16],
    [1, ANSWERED, 2],
    [16, { failure: null, durationMs: 5_000 }, 4],
    [3, { failure: null, durationMs: 5_000 }, 3],
    [1, { failure: null, durationMs: 5_000 }, 2],
    [16, TIMED_OUT, 1],
    [16, { failure: 'unreachable', durationMs: 1 }, 1],
    [7, { failure: 'broken', durationMs: 1 }, 7],
    [7, { failure: 'blocked', durationMs: 1 }, 7],
  ])('changes %d after %j to %d', (concurrency, result, next) => {
    expect(nextConcurrency(concurrency, result, 1_000)).toBe(next)
  })
})

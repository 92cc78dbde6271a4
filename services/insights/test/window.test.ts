import { nextWindow, type Shown } from '../src/events/window.ts'

const ANSWERED: Shown = { failure: null, durationMs: 1 }
const TIMED_OUT: Shown = { failure: 'timed_out', durationMs: 15_000 }

describe('nextWindow', () => {
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
  ])('%d, %j → %d', (window, shown, next) => {
    expect(nextWindow(window, shown, 1_000)).toBe(next)
  })
})

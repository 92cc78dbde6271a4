import { isOwnFault } from './is-own-fault.ts'
import { ModelError, type ModelFailure } from './model-error.ts'

/** After so many failures in a row the server is not asked for a while; then one request tries. */
const FAILURES = 3
const PAUSE_MS = 30_000
/** Of one kind at once: a server that hangs must not gather requests. */
const UNDER_WAY = 64

/** Runs requests as long as the server is any good; throws a ModelError `not_asked` while it is not. */
export type Breaker = <T>(work: () => Promise<T>) => Promise<T>

/** `onOpen` hears of each time from which on the server is not asked. */
export function openBreaker(now: () => number, onOpen: (failure: ModelFailure) => void): Breaker {
  let failures = 0
  let closedUntil = 0
  let underWay = 0

  function fail(err: unknown): void {
    // What a single prompt or function can bring about does not count: nobody can switch it off for the others.
    if (!(err instanceof ModelError) || err.failure === 'gone' || isOwnFault(err)) return
    failures++
    if (failures < FAILURES) return
    closedUntil = now() + PAUSE_MS
    onOpen(err.failure)
  }

  return async (work) => {
    const trying = failures >= FAILURES
    if (underWay >= UNDER_WAY || (trying && now() < closedUntil)) throw new ModelError('not_asked')
    // While one tries, the others don't wait for what comes of it.
    if (trying) closedUntil = now() + PAUSE_MS
    underWay++
    try {
      const result = await work()
      failures = 0
      return result
    } catch (err) {
      fail(err)
      throw err
    } finally {
      underWay--
    }
  }
}

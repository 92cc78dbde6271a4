import { ModelError, type ModelFailure, serverWorks } from './model-error.ts'

/** After this number of failures in a row, no requests are sent for PAUSE_MS. Then a single request probes the server. */
const FAILURES = 3
const PAUSE_MS = 30_000
/** The number of concurrent requests. It limits how many requests accumulate when the server hangs. */
const MAX_IN_FLIGHT = 64

/** Runs a request, or throws a ModelError `not_sent` while the breaker is open. */
export type Breaker = <T>(work: () => Promise<T>) => Promise<T>

/** `onOpen` is called each time the breaker opens. */
export function openBreaker(now: () => number, onOpen: (failure: ModelFailure) => void): Breaker {
  let failures = 0
  let openUntil = 0
  let inFlight = 0

  function fail(err: unknown): void {
    if (!(err instanceof ModelError) || err.failure === 'canceled') return
    // The failure is due to this request. If it counted, one caller could disable the model for all.
    if (serverWorks(err)) {
      failures = 0
      return
    }
    failures++
    if (failures < FAILURES) return
    openUntil = now() + PAUSE_MS
    onOpen(err.failure)
  }

  return async (work) => {
    const isProbe = failures >= FAILURES
    if (inFlight >= MAX_IN_FLIGHT || (isProbe && now() < openUntil)) throw new ModelError('not_sent')
    // No other request is sent while the probe is in flight.
    if (isProbe) openUntil = now() + PAUSE_MS
    inFlight++
    try {
      const result = await work()
      failures = 0
      return result
    } catch (err) {
      fail(err)
      throw err
    } finally {
      inFlight--
    }
  }
}

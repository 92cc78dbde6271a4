import { openShares, type Shares, type UserKey } from '../shares.ts'
import { failureOf, OutgoingError } from './exchange.ts'

/** Divides the connections to each host among tenants, and pauses the requests of a tenant to a host that does not answer. */
export type Hosts = {
  /**
   * Runs an exchange with a host when the tenant's share of the host's connections has room. `exchange` gets the time that remains. Rejects
   * with an OutgoingError that says that nothing was sent when the time is over, or when requests of this user to this host are paused.
   */
  run<T>(origin: string, tenant: UserKey, timeoutMs: number, exchange: (timeoutMs: number) => Promise<T>): Promise<T>
}

/** After this number of exchanges in a row without a response, the user's requests to the host are paused. Then one request is tried. */
const FAILURES = 10
const PAUSE_MS = 5_000
/** The number of failing pairs of user and host that are remembered. */
const REMEMBERED = 10_000

/** `connections` is the number of connections to each host. */
export function openHosts(connections: number): Hosts {
  const hosts = new Map<string, Shares>()
  /** The failures in a row, by host and user. Only this user's requests are paused: the user's credentials or arguments may be the cause. */
  const failing = new Map<string, { failures: number; pausedUntil: number }>()

  function refusePaused(key: string): void {
    const found = failing.get(key)
    if (found === undefined || found.failures < FAILURES) return
    const pauseMs = found.pausedUntil - performance.now()
    if (pauseMs > 0)
      throw new OutgoingError(new Error('the host did not answer the last requests'), false, 'unreachable', { retryAfterMs: pauseMs })
    // This request is tried; the others stay paused.
    found.pausedUntil = performance.now() + PAUSE_MS
  }

  async function watch<T>(key: string, response: Promise<T>): Promise<T> {
    try {
      const answered = await response
      failing.delete(key)
      return answered
    } catch (err) {
      const kind = failureOf(err)?.kind
      if (kind === 'unreachable' || kind === 'timed_out') noteFailure(key)
      else failing.delete(key)
      throw err
    }
  }

  function noteFailure(key: string): void {
    const failures = (failing.get(key)?.failures ?? 0) + 1
    failing.set(key, { failures, pausedUntil: performance.now() + PAUSE_MS })
    const [oldest] = failing.keys()
    if (oldest !== undefined && failing.size > REMEMBERED) failing.delete(oldest)
  }

  return {
    async run(origin, tenant, timeoutMs, exchange) {
      const key = `${origin}\0${tenant.appKey}\0${tenant.userId}`
      refusePaused(key)
      const from = performance.now()
      const host = hosts.get(origin) ?? openShares(connections)
      hosts.set(origin, host)
      const share = host.open(tenant)
      try {
        if (!share.take(1)) await untilTaken((taken) => share.takeLater(1, taken), timeoutMs)
        return await watch(key, exchange(timeoutMs - (performance.now() - from)))
      } finally {
        share.close()
        if (host.size === 0) hosts.delete(origin)
      }
    },
  }
}

function untilTaken(take: (taken: () => void) => void, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = new DOMException("no connection of the tenant's share was free in time", 'TimeoutError')
    const timer = setTimeout(() => reject(new OutgoingError(late, false)), timeoutMs)
    take(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}

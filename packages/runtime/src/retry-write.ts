import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from './log.ts'
import { isInfrastructureError } from './postgres/database.ts'

/**
 * Retries a write until it succeeds. The write must be idempotent: it may have been committed although the connection then failed. Throws
 * the last error after `signal` aborts, or when `giveUpMs` have passed.
 */
export async function retryWrite<T>(
  log: Log,
  what: string,
  write: () => Promise<T>,
  signal?: AbortSignal,
  giveUpMs = Number.POSITIVE_INFINITY,
): Promise<T> {
  const deadline = performance.now() + giveUpMs
  for (let wait = 50; ; wait = Math.min(2_000, wait * 2)) {
    try {
      return await write()
    } catch (err) {
      if (signal?.aborted || performance.now() >= deadline) throw err
      log.error({ err, infrastructure: isInfrastructureError(err) }, `${what} could not be written; trying again`)
      await sleep(wait, undefined, { signal }).catch(() => {})
    }
  }
}

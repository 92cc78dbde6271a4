import { type Log, retryWrite } from '@onward/runtime'
import { reserveBodyBytes } from '../db/body-quotas.ts'
import type { Db } from '../db/tables.ts'

/** How many bytes of arguments and outputs an application may store in the calls log on a day, in UTC. */
export type BodyQuota = {
  /**
   * Takes bytes from the quota. Resolves to false if it is used up. Usually needs no query; retries a failed query, as the ledger does,
   * without a time limit.
   */
  take(appKey: string, bytes: number): Promise<boolean>
  /** Resolves when no query is in flight. */
  idle(): Promise<void>
}

/** Number of bytes that a process reserves at once. It is more than the bodies of one call can have. */
export const CHUNK_BYTES = 1_048_576
/** Maximum number of bytes that an application stores on a day. */
export const DAY_BYTES = 1_024 * CHUNK_BYTES
/** Time after which a process asks again whether an application that had used up its quota may store more. */
const RETRY_MS = 60_000

/** What is left of the reserved bytes of an application. */
type Reserved = { left: number; refusedUntil: number; pending: Promise<void> | undefined }

type Metrics = { readonly bodiesNotStored: { inc(): void } }

export function openBodyQuota(db: Db, { bodiesNotStored }: Metrics, log: Log): BodyQuota {
  const applications = new Map<string, Reserved>()

  function reservedOf(appKey: string): Reserved {
    const known = applications.get(appKey)
    if (known !== undefined) return known
    const reserved = { left: 0, refusedUntil: 0, pending: undefined }
    applications.set(appKey, reserved)
    return reserved
  }

  async function reserve(appKey: string, reserved: Reserved): Promise<void> {
    const ask = () => reserveBodyBytes(db, appKey, CHUNK_BYTES, DAY_BYTES)
    if (await retryWrite(log, 'the quota of bodies', ask)) reserved.left += CHUNK_BYTES
    else reserved.refusedUntil = performance.now() + RETRY_MS
    reserved.pending = undefined
  }

  return {
    async take(appKey, bytes) {
      const reserved = reservedOf(appKey)
      while (reserved.left < bytes) {
        if (performance.now() < reserved.refusedUntil) {
          bodiesNotStored.inc()
          return false
        }
        reserved.pending ??= reserve(appKey, reserved)
        await reserved.pending
      }
      reserved.left -= bytes
      return true
    },
    async idle() {
      await Promise.all([...applications.values()].map(({ pending }) => pending))
    },
  }
}

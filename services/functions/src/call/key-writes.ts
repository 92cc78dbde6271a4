import { inTime, type Log, openBatch, retryWrite } from '@onward/runtime'
import { type HeldKey, releaseKeys, storeAnswer } from '../db/idempotency.ts'
import type { Db } from '../db/tables.ts'

/** The last write for each Idempotency-Key. While the database fails, it is retried in the background. */
export type KeyWrites = {
  /**
   * Releases the key of a call that was not sent; retries until that succeeds. Resolves when it is released, or after 3 s. Does nothing
   * while 10,000 other keys wait.
   */
  release(held: HeldKey): Promise<void>
  /** Stores the answer of a call; gives up after 5 minutes. Resolves when it is stored, or after 3 s. */
  store(held: HeldKey, status: number, sealedAnswer: Buffer): Promise<void>
  /** Stops retrying, and resolves when no write is running. */
  close(): Promise<void>
}

/** How long the response to a request waits for its key. */
const WAIT_MS = 3_000
/** How long an answer is kept in memory while it cannot be stored. */
const STORE_MS = 300_000
const FLUSH_MAX = 500
/**
 * Maximum number of releases in memory. Beyond that, a key is not released: while the database is down, no call begins, and another
 * request takes over a key whose call has not begun (`takeOverMs`).
 */
const RELEASES_MAX = 10_000

export function openKeyWrites(db: Db, log: Log): KeyWrites {
  const closing = new AbortController()
  const stores = new Set<Promise<void>>()
  let releases = 0
  // One statement at a time: during an outage, the keys of many refused requests wait here.
  const released = openBatch<HeldKey>(FLUSH_MAX, (keys) =>
    retryWrite(log, 'the release of Idempotency-Keys', () => releaseKeys(db, keys), closing.signal),
  )

  async function storeLater(held: HeldKey, status: number, sealedAnswer: Buffer): Promise<void> {
    const write = () => storeAnswer(db, held, status, sealedAnswer)
    await retryWrite(log, 'the answer to a request with an Idempotency-Key', write, closing.signal, STORE_MS)
  }

  /** Waits for a write for a while. The write continues after that, and its failure is logged. */
  async function waitFor(write: Promise<void>, { callId }: HeldKey): Promise<void> {
    const logged = write.catch((err: unknown) =>
      log.warn({ err, callId }, 'an Idempotency-Key could not be released, or its answer not stored'),
    )
    await inTime(WAIT_MS, logged, () => {})
  }

  return {
    async release(held) {
      if (releases >= RELEASES_MAX) return
      releases += 1
      const added = released.add(held).finally(() => {
        releases -= 1
      })
      await waitFor(added, held)
    },
    async store(held, status, sealedAnswer) {
      const stored = storeLater(held, status, sealedAnswer).finally(() => stores.delete(stored))
      stores.add(stored)
      await waitFor(stored, held)
    },
    async close() {
      closing.abort()
      await released.idle()
      await Promise.allSettled(stores)
    },
  }
}

import { inTime, type Log, openBatch, retryWrite } from '@onward/runtime'
import { type HeldKey, type ResponseQuotas, releaseKeys, type StoredResponse, storeResponses } from '../db/idempotency.ts'
import type { Db } from '../db/tables.ts'

/** The last write for each Idempotency-Key. While the database fails, it is retried in the background. */
export type KeyWrites = {
  /**
   * Releases the key of a call that was not sent; retries until that succeeds. Resolves when it is released, or after 3 s. Does nothing
   * while 10,000 other keys wait.
   */
  release(held: HeldKey): Promise<void>
  /**
   * Stores the response of a call, or only its status once the day's quota is used up; gives up after 5 minutes. Resolves when it is stored,
   * or after 3 s.
   */
  store(response: StoredResponse): Promise<void>
  /** Stops retrying, and resolves when no write is running. */
  close(): Promise<void>
}

/** How long the response to a request waits for its key. */
const WAIT_MS = 3_000
/** How long a response is kept in memory while it cannot be stored. */
const STORE_MS = 300_000
const RELEASES_PER_FLUSH = 500
/** A statement then has at most about 64 MB. */
const STORES_PER_FLUSH = 64
/** Responses are stored for 24 hours, which are parts of two days in UTC. So at any time, at most twice as many bytes are stored. */
export const RESPONSE_QUOTAS: ResponseQuotas = { user: 16 * 1_048_576, application: 1_024 * 1_048_576 }
/**
 * Maximum number of releases in memory. Beyond that, keys are not released. That is safe: no call begins while the database is down, and
 * another request takes over a key whose call has not begun (`takeOverMs`).
 */
const RELEASES_MAX = 10_000

/** Counts the responses of which only the status was stored. */
type Metrics = { readonly responsesNotStored: { inc(labels: { reason: 'size' | 'quota' }, count: number): void } }

export function openKeyWrites(db: Db, { responsesNotStored }: Metrics, log: Log): KeyWrites {
  const closing = new AbortController()
  let releases = 0
  // One statement at a time: during an outage, the keys of many refused requests wait here.
  const released = openBatch<HeldKey>(RELEASES_PER_FLUSH, (keys) =>
    retryWrite(log, 'the release of Idempotency-Keys', () => releaseKeys(db, keys), closing.signal),
  )
  // One statement at a time, because the responses of an application use the same quota.
  const stored = openBatch<StoredResponse>(STORES_PER_FLUSH, async (answers) => {
    const write = () => storeResponses(db, answers, RESPONSE_QUOTAS)
    const refused = await retryWrite(log, 'the responses to requests with an Idempotency-Key', write, closing.signal, STORE_MS)
    responsesNotStored.inc({ reason: 'quota' }, refused)
    responsesNotStored.inc({ reason: 'size' }, answers.filter(({ sealed }) => sealed === null).length)
  })

  /** Waits for a write for at most WAIT_MS. The write continues after that, and its failure is logged. */
  async function waitFor(write: Promise<void>, { callId }: HeldKey): Promise<void> {
    const logged = write.catch((err: unknown) =>
      log.warn({ err, callId }, 'an Idempotency-Key could not be released, or its response not stored'),
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
    store: (response) => waitFor(stored.add(response), response.held),
    async close() {
      closing.abort()
      await Promise.all([released.idle(), stored.idle()])
    },
  }
}

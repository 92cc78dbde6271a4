import { setTimeout as sleep } from 'node:timers/promises'
import { type Batch, isDataError, isInfrastructureError, type Log, openBatch } from '@onward/runtime'
import { type Attempt, deleteAttempts, insertAttempts } from '../db/attempts.ts'
import { type FinishedCall, recordCalls } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'

/** Stores calls durably in group commits: a call attempt before the onward call, a log row and an outbox row after it. */
export type Ledger = {
  /** Stores a call attempt (C0 in ARCHITECTURE.md). If this rejects, do not send the call. */
  begin(attempt: Attempt): Promise<void>
  /** Stores the outcome (C1 in ARCHITECTURE.md). Retries until the outcome is durable; there is no time limit. */
  finish(call: FinishedCall): Promise<void>
  /** Resolves when no write is in flight. */
  idle(): Promise<void>
}

const FLUSH_MAX = 500

/** Opens the ledger. A message carries at most `batchMax` tasks. Calls `onQueued` after it has inserted outbox rows. */
export function openLedger(db: Db, processId: string, batchMax: number, onQueued: () => void, log: Log): Ledger {
  const begun: Batch<Attempt> = openBatch(FLUSH_MAX, (attempts) => insertAttempts(db, processId, attempts))
  const finished: Batch<FinishedCall> = openBatch(FLUSH_MAX, async (calls) => {
    const queued = await retry('the calls log', () => recordSplitting(calls))
    if (queued > 0) onQueued()
  })
  const deleted: Batch<string> = openBatch(FLUSH_MAX, (ids) => retry('call attempts', () => deleteAttempts(db, ids)))

  /**
   * Records a batch of calls. When Postgres rejects the data, splits the batch until the faulty call is alone and records that call without
   * its bodies. Returns the number of outbox rows.
   */
  async function recordSplitting(calls: readonly FinishedCall[]): Promise<number> {
    const [only] = calls
    try {
      return await recordAll(calls)
    } catch (err) {
      if (!isDataError(err) || only === undefined) throw err
      if (calls.length === 1) {
        log.error({ err, callId: only.callId }, 'a call is logged without its bodies because the database rejected them')
        return await recordAll([{ ...only, arguments: null, output: null }])
      }
      const middle = Math.ceil(calls.length / 2)
      return (await recordSplitting(calls.slice(0, middle))) + (await recordSplitting(calls.slice(middle)))
    }
  }

  async function recordAll(calls: readonly FinishedCall[]): Promise<number> {
    const first = await recordCalls(db, calls, batchMax)
    if (first.settled === calls.length) return first.queued
    // The sweeper may have deleted some of the attempts in a concurrent transaction. That transaction has ended now, so a second run can
    // correct the log rows that the sweeper inserted.
    return first.queued + (await recordCalls(db, calls, batchMax)).queued
  }

  /** Retries a write until it succeeds. The write must be idempotent: it may have been committed although the connection then failed. */
  async function retry<T>(what: string, write: () => Promise<T>): Promise<T> {
    for (let wait = 50; ; wait = Math.min(2_000, wait * 2)) {
      try {
        return await write()
      } catch (err) {
        log.error({ err, infrastructure: isInfrastructureError(err) }, `${what} could not be written; trying again`)
        await sleep(wait)
      }
    }
  }

  return {
    async begin(attempt) {
      try {
        await begun.add(attempt)
      } catch (err) {
        // The insert may have been committed. Without this delete, the sweeper would count the unsent call after this process ends.
        void deleted.add(attempt.callId)
        // The insert may still be in flight and commit later. It ends within 40 s, so delete the attempt again then.
        setTimeout(() => void deleted.add(attempt.callId), 40_000).unref()
        throw err
      }
    },
    finish: (call) => finished.add(call),
    async idle() {
      await begun.idle()
      await finished.idle()
      await deleted.idle()
    },
  }
}

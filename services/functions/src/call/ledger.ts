import { setTimeout as sleep } from 'node:timers/promises'
import { type Batch, isDataError, isInfrastructureError, type Log, openBatch } from '@onward/runtime'
import { type Attempt, deleteAttempts, insertAttempts } from '../db/attempts.ts'
import { type FinishedCall, recordCalls } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'

/** Stores calls durably in group commits: a call attempt before the onward call, a log row and an outbox row after it. */
export type Ledger = {
  /** C0: stores a call attempt. When it rejects, the call must not be sent. */
  begin(attempt: Attempt): Promise<void>
  /** C1: stores the outcome. Resolves when the outcome is durable, however long that takes. */
  finish(call: FinishedCall): Promise<void>
  /** Resolves when no write is in flight. */
  idle(): Promise<void>
}

const FLUSH_MAX = 500

export function openLedger(db: Db, processId: string, batchMax: number, onQueued: () => void, log: Log): Ledger {
  const begun: Batch<Attempt> = openBatch(FLUSH_MAX, (attempts) => insertAttempts(db, processId, attempts))
  const finished: Batch<FinishedCall> = openBatch(FLUSH_MAX, async (calls) => {
    const queued = await retry('the calls log', () => recordSplitting(calls))
    if (queued > 0) onQueued()
  })
  const deleted: Batch<string> = openBatch(FLUSH_MAX, (ids) => retry('call attempts', () => deleteAttempts(db, ids)))

  /**
   * Records a flush. When the database rejects its data, the flush is halved until the faulty call is alone; that call is logged and counted
   * without its bodies. Returns the number of outbox rows.
   */
  async function recordSplitting(calls: readonly FinishedCall[]): Promise<number> {
    const [only] = calls
    try {
      return await recordTwice(calls)
    } catch (err) {
      if (!isDataError(err) || only === undefined) throw err
      if (calls.length === 1) {
        log.error({ err, callId: only.callId }, 'a call is logged without its bodies because the database rejected them')
        return await recordTwice([{ ...only, arguments: null, output: null }])
      }
      const middle = Math.ceil(calls.length / 2)
      return (await recordSplitting(calls.slice(0, middle))) + (await recordSplitting(calls.slice(middle)))
    }
  }

  async function recordTwice(calls: readonly FinishedCall[]): Promise<number> {
    const first = await recordCalls(db, calls, batchMax)
    if (first.settled === calls.length) return first.queued
    // The sweeper took some of the attempts at the same time; its log rows are visible by now.
    return first.queued + (await recordCalls(db, calls, batchMax)).queued
  }

  /** Repeats a write until it succeeds. A commit whose answer was lost may have succeeded, so every write here can be repeated. */
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
        // The insert may have been committed. If the attempt stayed, the sweeper would count it as a call of a dead process.
        void deleted.add(attempt.callId)
        // The insert may still be running and commit later. It has ended after 40 s, so delete the attempt again then.
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

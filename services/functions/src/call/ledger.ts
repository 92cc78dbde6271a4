import { setTimeout as sleep } from 'node:timers/promises'
import { type Batch, isDataError, isInfrastructureError, type Log, openBatch } from '@onward/runtime'
import { type Attempt, deleteAttempts, insertAttempts } from '../db/attempts.ts'
import { type FinishedCall, recordCalls } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'

/** The durable record of calls: an attempt before, a log row and an outbox row after, each in group commits. */
export type Ledger = {
  /** C0. Rejects when it can't be written; nothing may be sent then. */
  begin(attempt: Attempt): Promise<void>
  /** C1. Resolves when it is durable, however long that takes. */
  finish(call: FinishedCall): Promise<void>
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>
}

const FLUSH_MAX = 500

export function openLedger(db: Db, processId: string, batchMax: number, onQueued: () => void, log: Log): Ledger {
  const begun: Batch<Attempt> = openBatch(FLUSH_MAX, (attempts) => insertAttempts(db, processId, attempts))
  const finished: Batch<FinishedCall> = openBatch(FLUSH_MAX, async (calls) => {
    const queued = await untilItHolds('the calls log', () => recordSplitting(calls))
    if (queued > 0) onQueued()
  })
  const takenBack: Batch<string> = openBatch(FLUSH_MAX, (ids) => untilItHolds('call attempts', () => deleteAttempts(db, ids)))

  /**
   * Halves a flush that the database refuses for its data, until the call that is to blame stands alone: that one is logged and counted
   * without its bodies. Gives the number of outbox rows.
   */
  async function recordSplitting(calls: readonly FinishedCall[]): Promise<number> {
    const [only] = calls
    try {
      return await recordTwice(calls)
    } catch (err) {
      if (!isDataError(err) || only === undefined) throw err
      if (calls.length === 1) {
        log.error({ err, callId: only.callId }, 'a call is logged without its bodies: the database does not take them')
        return await recordTwice([{ ...only, arguments: null, output: null }])
      }
      const middle = Math.ceil(calls.length / 2)
      return (await recordSplitting(calls.slice(0, middle))) + (await recordSplitting(calls.slice(middle)))
    }
  }

  async function recordTwice(calls: readonly FinishedCall[]): Promise<number> {
    const first = await recordCalls(db, calls, batchMax)
    if (first.settled === calls.length) return first.queued
    // The sweeper was taking some: its log rows can be seen by now.
    return first.queued + (await recordCalls(db, calls, batchMax)).queued
  }

  /** A commit whose answer was lost may have held: every statement here can be repeated. */
  async function untilItHolds<T>(what: string, write: () => Promise<T>): Promise<T> {
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
        // The insert may have held all the same; left behind, the attempt would be counted as a call of a dead process.
        void takenBack.add(attempt.callId)
        // Once more when the statement can no longer be running: it may have been committed behind our back.
        setTimeout(() => void takenBack.add(attempt.callId), 40_000).unref()
        throw err
      }
    },
    finish: (call) => finished.add(call),
    async idle() {
      await begun.idle()
      await finished.idle()
      await takenBack.idle()
    },
  }
}

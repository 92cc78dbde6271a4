import {
  type Batch,
  inSpan,
  inTime,
  isDataError,
  type Log,
  openBatch,
  type Prepared,
  Refusal,
  retryWrite,
  type SpanOptions,
  type Tracing,
} from '@onward/runtime'
import { type Attempt, deleteAttempts, insertApprovedAttempt, insertAttempts, readAttemptIds } from '../db/attempts.ts'
import { correctCalls, type FinishedCall, recordCalls, recordLost, recordMissing } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'

/** Stores calls durably in group commits: a call attempt before the onward call, a log row and an outbox row after it. */
export type Ledger = {
  /**
   * Stores a call attempt (C0 in ARCHITECTURE.md), within 6 s, and uses the approval that the call needs, if any. If this rejects, do not send
   * the call.
   */
  begin(attempt: Attempt, approvalId: string | null): Promise<void>
  /**
   * Stores the outcome (C1 in ARCHITECTURE.md). Retries until the outcome is durable; there is no time limit. A failover of Postgres can lose
   * the attempt during the onward call; the call is then recorded without it.
   */
  finish(call: FinishedCall): Promise<void>
  /**
   * Deletes the stored attempts of this process for which `begin` rejected. Call this repeatedly: a statement that stalled in the network
   * can insert such an attempt much later. Without this, the unsent call would count as a task when this process ends. Attempts that come
   * back after they were recorded, because a failover of Postgres lost the record, are recorded again, with the outcome `unknown`.
   */
  settleAttempts(): Promise<void>
  /** Resolves when no write is in flight. */
  idle(): Promise<void>
}

const FLUSH_MAX = 500
/** How long a call waits for its attempt to be stored. */
const BEGIN_MS = 6_000
/** After this time, the next flush of attempts starts on another connection: the current one may have stalled. */
const BEGIN_FLUSH_MS = 4_000
/** How many unsent calls are remembered. About 20 MB. */
const UNSENT_MAX = 100_000

type Parts = {
  readonly db: Db
  /** For the statements of each call. */
  readonly prepared: Prepared
  readonly processId: string
  /** Maximum number of tasks in a message. */
  readonly batchMax: number
  /** Runs after outbox rows were inserted. */
  readonly onQueued: () => void
  readonly tracing?: Tracing | undefined
  readonly log: Log
}

/** The span of a group commit lasts from the request of one call until the commit. */
const GROUP_COMMIT: SpanOptions = { kind: 'client', attributes: { 'db.system.name': 'postgresql', 'onward.group_commit': true } }

export function openLedger({ db, prepared, processId, batchMax, onQueued, tracing, log }: Parts): Ledger {
  /** By id: calls that may have been sent and are not recorded yet, and calls whose attempts are being stored (no `occurredAt`). */
  const open = new Map<string, { readonly attempt: Attempt; readonly occurredAt?: Date }>()
  /** The newest calls for which `begin` rejected, so that they were not sent. */
  const unsent = new Set<string>()
  const begun: Batch<Attempt> = openBatch(FLUSH_MAX, async (added) => {
    const attempts = added.filter(({ callId }) => open.has(callId))
    if (attempts.length === 0) return
    const occurredAt = await inTime(BEGIN_FLUSH_MS, insertAttempts(prepared, processId, attempts), refuseUnstoredCall)
    for (const attempt of attempts) if (open.has(attempt.callId)) open.set(attempt.callId, { attempt, occurredAt })
  })
  const finished: Batch<FinishedCall> = openBatch(FLUSH_MAX, async (calls) => {
    const queued = await retryWrite(log, 'the calls log', () => recordSplitting(calls))
    for (const { callId } of calls) open.delete(callId)
    if (queued > 0) onQueued()
  })

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
    const { settled, queued } = await recordCalls(prepared, calls, batchMax)
    if (settled === calls.length) return queued
    await correctCalls(db, calls)
    // The others were recorded before, or a failover of Postgres lost their attempts during the onward calls.
    const unrecorded = calls.flatMap((call) => {
      const known = open.get(call.callId)
      return known?.occurredAt === undefined ? [] : [{ ...call, ...known.attempt, occurredAt: known.occurredAt }]
    })
    const missing = await recordMissing(db, unrecorded, batchMax)
    if (missing.logged > 0) log.warn({ calls: missing.logged }, 'Postgres lost the attempts of calls; they were logged and counted')
    return queued + missing.queued
  }

  async function beginApproved(attempt: Attempt, approvalId: string): Promise<void> {
    const occurredAt = await insertApprovedAttempt(db, processId, attempt, approvalId)
    if (occurredAt === undefined) {
      throw new Refusal(
        'unavailable',
        'another call has just used the approval, so nothing was sent; repeat the call to ask for another one',
      )
    }
    if (open.has(attempt.callId)) open.set(attempt.callId, { attempt, occurredAt })
  }

  return {
    async begin(attempt, approvalId) {
      open.set(attempt.callId, { attempt })
      try {
        const store = () => (approvalId === null ? begun.add(attempt) : beginApproved(attempt, approvalId))
        await inTime(BEGIN_MS, inSpan(tracing, 'insert into call_attempt', GROUP_COMMIT, store), refuseUnstoredCall)
      } catch (err) {
        open.delete(attempt.callId)
        unsent.add(attempt.callId)
        const [oldest] = unsent
        if (oldest !== undefined && unsent.size > UNSENT_MAX) unsent.delete(oldest)
        throw err
      }
    },
    finish: (call) =>
      inSpan(tracing, 'insert into call_log', GROUP_COMMIT, (span) =>
        finished.add(span?.recorded === true ? { trace: span.traceparent, ...call } : call),
      ),
    async settleAttempts() {
      const stored = (await readAttemptIds(db, processId)).filter((callId) => !open.has(callId))
      // The statements below list the ids to change. A statement that listed the open calls to exclude would be wrong if it ran late, when
      // other calls are open.
      const [toDelete, lost] = [stored.filter((callId) => unsent.has(callId)), stored.filter((callId) => !unsent.has(callId))]
      if (toDelete.length > 0) await deleteAttempts(db, toDelete)
      for (let at = 0; at < lost.length; at += FLUSH_MAX) {
        const recorded = await recordLost(db, lost.slice(at, at + FLUSH_MAX), batchMax)
        if (recorded > 0) log.warn({ calls: recorded }, 'Postgres lost the records of calls; they were logged with the outcome unknown')
        if (recorded > 0) onQueued()
      }
    },
    async idle() {
      await begun.idle()
      await finished.idle()
    },
  }
}

function refuseUnstoredCall(): never {
  throw new Refusal('unavailable', 'the call could not be stored in time, so nothing was sent; retry in a few seconds')
}

import { deleteProcess, joinProcesses, type Log, openLoop, type Process, uuidv7, writeHeartbeat } from '@onward/runtime'
import { deleteExpiredApprovals } from '../db/approvals.ts'
import { deleteOldBodyQuotas } from '../db/body-quotas.ts'
import { deleteOldQuotas, deleteOldRecords } from '../db/idempotency.ts'
import { deleteDeadProcesses } from '../db/processes.ts'
import { sweepAttempts } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'
import type { Ledger } from './ledger.ts'

export type Sweeper = {
  /** Returns the id for a new call. Its time comes from Postgres, like `occurred_at`; the clock of this machine may be wrong. */
  newCallId(): string
  /** Stops the sweeper and deletes the unsent attempts and the heartbeat of this process. */
  close(): Promise<void>
}

const HEARTBEAT_MS = 5_000
/** Minimum difference that means that the clock of Postgres was set back. A statement never takes that long. */
const SET_BACK_MS = 60_000
const SWEPT_MAX = 500
/** Maximum number of rows that one statement deletes. */
const DELETED_MAX = 1_000
/** Time limit for deleting old rows, so that the next heartbeat is not late. */
const DELETE_MS = 5_000

/**
 * Every five seconds, writes the heartbeat of this process and settles its own call attempts. Then records the attempts of dead processes
 * as `unknown`, and deletes old idempotency records. Calls `onQueued` after it has inserted outbox rows. Throws a ConfigError if another
 * process has another reach.
 */
export async function openSweeper(
  db: Db,
  own: Process,
  ledger: Pick<Ledger, 'settleAttempts'>,
  batchMax: number,
  onQueued: () => void,
  log: Log,
): Promise<Sweeper> {
  /** The time of Postgres, in ms, when `performance.now()` was 0. */
  let origin = 0
  function setClock(now: Date): void {
    const measured = now.getTime() - performance.now()
    // A late response makes the measured time too low. Only a much lower one means that the clock of Postgres was set back.
    if (measured > origin || measured < origin - SET_BACK_MS) origin = measured
  }
  setClock(await joinProcesses(db, own))

  async function sweep(signal: AbortSignal): Promise<void> {
    setClock(await writeHeartbeat(db, own))
    // A step that fails must not prevent the next ones.
    for (const step of [ledger.settleAttempts, recordDead, deleteOld]) {
      await step(signal).catch((err: unknown) => log.warn({ err }, 'a step of the sweep failed; trying again'))
    }
  }

  async function recordDead(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const swept = await sweepAttempts(db, SWEPT_MAX, batchMax)
      if (swept > 0) {
        log.warn({ calls: swept }, 'calls of a dead process were logged with the outcome unknown')
        onQueued()
      }
      if (swept < SWEPT_MAX) break
    }
    await deleteDeadProcesses(db)
  }

  async function deleteOld(signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + DELETE_MS
    while (!signal.aborted && Date.now() < deadline) {
      if ((await deleteOldRecords(db, DELETED_MAX)) < DELETED_MAX) break
    }
    await deleteOldQuotas(db, DELETED_MAX)
    await deleteExpiredApprovals(db, DELETED_MAX)
    await deleteOldBodyQuotas(db, DELETED_MAX)
  }

  const loop = openLoop(HEARTBEAT_MS, sweep, log)
  return {
    newCallId: () => uuidv7(Math.floor(origin + performance.now())),
    async close() {
      await loop.close()
      try {
        await ledger.settleAttempts()
        await deleteProcess(db, own.id)
      } catch (err) {
        log.warn({ err }, 'the unsent attempts or the heartbeat of this process could not be deleted')
      }
    },
  }
}

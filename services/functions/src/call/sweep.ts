import { type Log, openLoop } from '@onward/runtime'
import { deleteOldRecords } from '../db/idempotency.ts'
import { deleteDeadProcesses, deleteProcess, writeHeartbeat } from '../db/processes.ts'
import { sweepAttempts } from '../db/record-calls.ts'
import type { Db } from '../db/tables.ts'

/** Writes the heartbeat of this process, and records the open call attempts of dead processes as `unknown`. */
export type Sweeper = { close(): Promise<void> }

const HEARTBEAT_MS = 5_000
const SWEEP_MAX = 500
const RECORDS_MAX = 1_000
/** Time limit for deleting old records, so that the next heartbeat is not late. */
const RECORDS_MS = 5_000

export async function openSweeper(db: Db, processId: string, batchMax: number, onQueued: () => void, log: Log): Promise<Sweeper> {
  await writeHeartbeat(db, processId)

  async function sweep(signal: AbortSignal): Promise<void> {
    await writeHeartbeat(db, processId)
    while (!signal.aborted) {
      const settled = await sweepAttempts(db, SWEEP_MAX, batchMax)
      if (settled > 0) log.warn({ calls: settled }, 'calls of a dead process were logged as unknown')
      if (settled > 0) onQueued()
      if (settled < SWEEP_MAX) break
    }
    await deleteDeadProcesses(db)
    const until = Date.now() + RECORDS_MS
    while (!signal.aborted && Date.now() < until && (await deleteOldRecords(db, RECORDS_MAX)) === RECORDS_MAX);
  }

  const loop = openLoop(HEARTBEAT_MS, sweep, log)
  return {
    async close() {
      await loop.close()
      await deleteProcess(db, processId).catch((err: unknown) => log.warn({ err }, 'the heartbeat of this process could not be deleted'))
    },
  }
}

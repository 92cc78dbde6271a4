import type { Log } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { beat, deleteDeadProcesses, deleteProcess } from '../db/processes.ts'
import { sweepAttempts } from '../db/record-calls.ts'
import type { Tables } from '../db/tables.ts'

/** Shows that this process lives, and settles the attempts of processes that don't. */
export type Sweeper = { close(): Promise<void> }

const BEAT_MS = 5_000
const SWEEP_MAX = 500

export async function openSweeper(
  db: Kysely<Tables>,
  processId: string,
  batchMax: number,
  onQueued: () => void,
  log: Log,
): Promise<Sweeper> {
  await beat(db, processId)
  let round: Promise<void> = Promise.resolve()

  async function sweep(): Promise<void> {
    await beat(db, processId)
    for (;;) {
      const settled = await sweepAttempts(db, SWEEP_MAX, batchMax)
      if (settled > 0) log.warn({ calls: settled }, 'calls of a process that died were logged as unknown')
      if (settled > 0) onQueued()
      if (settled < SWEEP_MAX) break
    }
    await deleteDeadProcesses(db)
  }

  const timer = setInterval(() => {
    round = round.then(sweep).catch((err: unknown) => log.warn({ err }, 'a sweep failed'))
  }, BEAT_MS)
  return {
    async close() {
      clearInterval(timer)
      await round
      await deleteProcess(db, processId).catch((err: unknown) => log.warn({ err }, 'this process could not sign off'))
    },
  }
}

import { deleteProcess, joinProcesses, type Log, type Loop, openLoop, type Reach, uuidv7, writeHeartbeat } from '@onward/runtime'
import { deleteDeadProcesses } from '../db/processes.ts'
import type { Db } from '../db/tables.ts'

const HEARTBEAT_MS = 5_000

/**
 * Writes the heartbeat of this process every five seconds, and deletes the rows of dead processes. Throws a ConfigError if another process has
 * another reach.
 */
export async function openHeartbeat(db: Db, reach: Reach, log: Log): Promise<Loop> {
  const own = { id: uuidv7(), reach }
  await joinProcesses(db, own)
  const beat = async () => {
    await writeHeartbeat(db, own)
    await deleteDeadProcesses(db)
  }
  const loop = openLoop(HEARTBEAT_MS, beat, log)
  return {
    async close() {
      await loop.close()
      await deleteProcess(db, own.id).catch((err: unknown) => log.warn({ err }, 'the heartbeat of this process could not be deleted'))
    },
  }
}

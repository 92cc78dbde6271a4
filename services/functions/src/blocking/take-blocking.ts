import { type BlockingJob, blockingJob, type UserBlocking } from '@onward/contract'
import { compileCheck, type Log, onFirstUse } from '@onward/runtime'
import { storeBlocking } from '../db/blocking.ts'
import type { Db } from '../db/tables.ts'

const check = onFirstUse(() => compileCheck(blockingJob, 'strict'))

/** Stores the users' states in a message. An invalid message is logged and dropped, because insights sends all states again. */
export async function takeBlocking(db: Db, log: Log, data: unknown): Promise<void> {
  const problems = check(data)
  if (problems.length > 0) return log.error({ problems }, 'an invalid message about blocked users was dropped')
  // One statement cannot store two states of the same user.
  const newest = new Map<string, UserBlocking>()
  for (const state of (data as BlockingJob).states) {
    const key = `${state.app_key}\0${state.user_id}`
    if ((newest.get(key)?.seq ?? 0) < state.seq) newest.set(key, state)
  }
  await storeBlocking(db, [...newest.values()])
}

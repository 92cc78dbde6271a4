import { type Log, openLoop } from '@onward/runtime'
import { type BlockingKey, deleteOldBlocking, type ReadFrom, readBlocking } from '../db/blocking.ts'
import type { Db } from '../db/tables.ts'
import { type BlockedUsers, openBlockedUsers } from './blocked-users.ts'

/** The blocked users, updated from Postgres. */
export type Blocking = Pick<BlockedUsers, 'blockedMs' | 'count'> & {
  /** Reads what has changed. To be called at each notification of `BLOCKING_CHANNEL`. */
  readonly onNews: () => void
  close(): Promise<void>
}

const POLL_MS = 2_000
const DELETE_EVERY_MS = 600_000
/** Maximum number of rows that one statement reads or deletes: a million users can be blocked. */
const PAGE = 10_000

/**
 * Loads the blocked users, then reads changes on each notification from Postgres and every two seconds. When Postgres cannot be reached
 * at the start, no user is blocked until the first read succeeds.
 */
export async function followBlocking(db: Db, log: Log): Promise<Blocking> {
  const users = openBlockedUsers()
  let from: ReadFrom | undefined
  let changed = false
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    let next: ReadFrom | undefined
    let after: BlockingKey | undefined
    do {
      const readAt = performance.now()
      const page = await readBlocking(db, from, after, PAGE)
      for (const { appKey, userId, blockedMs, enforcedMs } of page.states) users.set({ appKey, userId }, readAt, blockedMs, enforcedMs)
      next ??= page.next
      after = page.last
    } while (after !== undefined)
    from = next
  }

  async function deleteOld(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await deleteOldBlocking(db, PAGE)) === PAGE);
  }

  /** Reads until no change was notified during the last read. */
  async function readAll(): Promise<void> {
    try {
      while (changed) {
        changed = false
        await read()
      }
    } finally {
      reading = undefined
    }
  }

  /** Reads all changes, one read at a time: during a read, this only requests another one. */
  function refresh(): Promise<void> {
    changed = true
    reading ??= readAll()
    return reading
  }

  async function poll(): Promise<void> {
    users.removeEnded()
    await refresh()
  }

  function onNews(): void {
    refresh().catch((err: unknown) => log.warn({ err }, 'blocked users could not be read; trying again'))
  }

  await refresh().catch((err: unknown) => log.warn({ err }, 'blocked users could not be read; no user is blocked until a read succeeds'))
  const loops = [openLoop(POLL_MS, poll, log), openLoop(DELETE_EVERY_MS, deleteOld, log)]
  return {
    blockedMs: users.blockedMs,
    count: users.count,
    onNews,
    async close() {
      await Promise.all(loops.map((loop) => loop.close()))
      await reading?.catch(() => {})
    },
  }
}

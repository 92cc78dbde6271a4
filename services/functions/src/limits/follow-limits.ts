import { type Log, openListener, openLoop } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { deleteOldLimitStates, LIMIT_CHANNEL, type ReadFrom, readLimitStates } from '../db/limit-states.ts'
import type { Tables } from '../db/tables.ts'
import { type BlockedUsers, openBlockedUsers } from './blocked-users.ts'

/** The blocked users, kept up to date with Postgres. */
export type Limits = Pick<BlockedUsers, 'blockedMs' | 'count'> & { close(): Promise<void> }

const POLL_MS = 2_000
const FORGET_MS = 600_000

/**
 * Reads what is stored when Postgres says that there is something, and every two seconds whether it says so or not. Users who were
 * blocked are so from the start, unless Postgres is away: then they are once it is back.
 */
export async function followLimits(db: Kysely<Tables>, directUrl: string, log: Log): Promise<Limits> {
  const users = openBlockedUsers()
  let from: ReadFrom | undefined
  let news = false
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const readAt = performance.now()
    const { states, next } = await readLimitStates(db, from)
    for (const { blockedMs, believedMs, ...user } of states) users.set(user, readAt, blockedMs, believedMs)
    from = next
  }

  /** One reading at a time; what is told during one takes another. */
  async function readAll(): Promise<void> {
    try {
      while (news) {
        news = false
        await read()
      }
    } finally {
      reading = undefined
    }
  }

  function refresh(): Promise<void> {
    news = true
    reading ??= readAll()
    return reading
  }

  async function poll(): Promise<void> {
    // Nobody else forgets those whose period has ended. It walks all blocks: not with each piece of news.
    users.count()
    await refresh()
  }

  function onNews(): void {
    refresh().catch((err: unknown) => log.warn({ err }, 'limit states could not be read; trying again'))
  }

  await refresh().catch((err: unknown) => log.warn({ err }, 'limit states could not be read; nobody is blocked until they are'))
  const listener = openListener(directUrl, LIMIT_CHANNEL, onNews, log)
  const loops = [openLoop(POLL_MS, poll, log), openLoop(FORGET_MS, () => deleteOldLimitStates(db), log)]
  return {
    blockedMs: users.blockedMs,
    count: users.count,
    async close() {
      await Promise.all([listener.close(), ...loops.map((loop) => loop.close())])
      await reading?.catch(() => {})
    },
  }
}

import type { BlockingJob } from '@onward/contract'
import { inTime, type Log, QUEUE_TIMEOUT_MS, type Queue } from '@onward/runtime'
import { type Blocking, markPublished, takeDueBlocking } from '../db/blocking.ts'
import type { Db } from '../db/tables.ts'
import type { Counters } from '../metrics.ts'

/** Maximum number of rows in one message, and in one query for due rows. */
const CHUNK = 500
/** Maximum number of messages in the queue. Without it, they would fill the queue's store while functions is down. */
const MAX_WAITING = 100

export type PublishParts = { readonly db: Db; readonly blockingQueue: Queue<BlockingJob>; readonly counters: Counters; readonly log: Log }

/** Publishes committed changes to functions. Never rejects: `publishDue` later publishes what failed here. */
export async function publishBlocking(parts: PublishParts, changes: readonly Blocking[]): Promise<void> {
  if (changes.length === 0) return
  try {
    if (!(await hasRoom(parts))) return
    for (let start = 0; start < changes.length; start += CHUNK) {
      const chunk = changes.slice(start, start + CHUNK)
      const states = chunk.map(({ appKey, userId, seq, blockedUntil }) => ({
        app_key: appKey,
        user_id: userId,
        seq,
        blocked_until: blockedUntil?.toISOString() ?? null,
      }))
      await inTime(QUEUE_TIMEOUT_MS, parts.blockingQueue.add({ data: { states } }))
      parts.counters.published.inc(chunk.length)
      await markPublished(parts.db, chunk)
    }
  } catch (err) {
    parts.log.warn({ err }, 'could not publish changes of blocked users; they are published later')
  }
}

/**
 * Publishes rows that are due: rows that were not published after their commit, and blocks that must be repeated before functions forgets
 * them.
 */
export async function publishDue(parts: PublishParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await hasRoom(parts))) {
    const due = await takeDueBlocking(parts.db, CHUNK)
    if (due.length === 0) return
    await publishBlocking(parts, due)
    if (due.length < CHUNK) return
  }
}

/** Returns whether the queue can take more messages. Delayed jobs count too: functions could not store these messages and retries them. */
async function hasRoom({ blockingQueue }: PublishParts): Promise<boolean> {
  const { waiting, delayed } = await inTime(QUEUE_TIMEOUT_MS, blockingQueue.counts())
  return waiting + delayed <= MAX_WAITING
}

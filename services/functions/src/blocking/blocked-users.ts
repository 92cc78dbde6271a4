import { type Counter, Refusal, type UserKey } from '@onward/runtime'

/** The blocked users, in memory because each call checks them. Times are in ms, on the clock of `performance.now()`. */
export type BlockedUsers = {
  /** Returns how long a user stays blocked, in ms; 0 when the user is not blocked or the service insights did not confirm it in time. */
  blockedMs(user: UserKey): number
  /** Stores the state of a user. `blockedMs` and `enforcedMs` start at `readAt`; after `enforcedMs`, the block is ignored. */
  set(user: UserKey, readAt: number, blockedMs: number, enforcedMs: number): void
  /** Removes blocks that have ended. This visits all blocks. */
  removeEnded(): void
  /** Returns the number of blocked users, and of users whose block is ignored because it was not confirmed in time (`lapsed`). */
  count(): { readonly blocked: number; readonly lapsed: number }
}

export function openBlockedUsers(): BlockedUsers {
  const blocks = new Map<string, { readonly until: number; readonly enforcedUntil: number }>()
  return {
    blockedMs(user) {
      const block = blocks.get(keyOf(user))
      const now = performance.now()
      return block === undefined || block.enforcedUntil <= now ? 0 : Math.max(0, block.until - now)
    },
    set(user, readAt, blockedMs, enforcedMs) {
      if (blockedMs <= 0) blocks.delete(keyOf(user))
      else blocks.set(keyOf(user), { until: readAt + blockedMs, enforcedUntil: readAt + enforcedMs })
    },
    removeEnded() {
      const now = performance.now()
      for (const [key, { until }] of blocks) if (until <= now) blocks.delete(key)
    },
    count() {
      const now = performance.now()
      const current = [...blocks.values()].filter(({ until }) => until > now)
      const blocked = current.filter(({ enforcedUntil }) => enforcedUntil > now).length
      return { blocked, lapsed: current.length - blocked }
    },
  }
}

/** Throws `task_limit_reached` (429) when the user is blocked. Reads memory only. */
export function refuseBlocked(blocking: Pick<BlockedUsers, 'blockedMs'>, refused: Counter, user: UserKey): void {
  const blockedMs = blocking.blockedMs(user)
  if (blockedMs === 0) return
  refused.inc()
  const retryAfterSeconds = Math.ceil(blockedMs / 1_000)
  const endsAt = new Date(Date.now() + blockedMs).toISOString().slice(0, 16)
  const message = `the user's task limit is reached until ${endsAt.replace('T', ' ')} UTC, or until it is raised; nothing was called`
  throw new Refusal('task_limit_reached', message, [], { retryAfterSeconds })
}

/** NUL separates the parts because neither can contain it. */
function keyOf({ appKey, userId }: UserKey): string {
  return `${appKey}\0${userId}`
}

/** A user of an application. */
type User = { readonly appKey: string; readonly userId: string }

/** The users that may not call for now, in memory: the call path asks for every call. Times are those of `performance.now()`, in ms. */
export type BlockedUsers = {
  /** For how long a user is blocked, in ms; 0: not at all. A block that is not believed any more blocks nobody. */
  blockedMs(user: User): number
  /** `blockedMs` and `believedMs` count from `readAt`. */
  set(user: User, readAt: number, blockedMs: number, believedMs: number): void
  /** How many are blocked, and how many would be if their block had been confirmed in time. Forgets blocks that have ended. */
  count(): { readonly blocked: number; readonly lapsed: number }
}

export function openBlockedUsers(): BlockedUsers {
  const blocks = new Map<string, { readonly until: number; readonly believedUntil: number }>()
  return {
    blockedMs(user) {
      const block = blocks.get(nameOf(user))
      const now = performance.now()
      return block === undefined || block.believedUntil <= now ? 0 : Math.max(0, block.until - now)
    },
    set(user, readAt, blockedMs, believedMs) {
      if (blockedMs <= 0) blocks.delete(nameOf(user))
      else blocks.set(nameOf(user), { until: readAt + blockedMs, believedUntil: readAt + believedMs })
    },
    count() {
      const now = performance.now()
      let blocked = 0
      for (const [name, { until, believedUntil }] of blocks) {
        if (until <= now) blocks.delete(name)
        else if (believedUntil > now) blocked++
      }
      return { blocked, lapsed: blocks.size - blocked }
    },
  }
}

/** Neither part can hold NUL. */
function nameOf({ appKey, userId }: User): string {
  return `${appKey}\0${userId}`
}

/** The user of an application on whose behalf something is used. */
export type Tenant = { readonly appKey: string; readonly userId: string }

/** The part of a resource that one request of a tenant holds. */
export type Share = {
  readonly tenant: Tenant
  hasRoom(amount: number): boolean
  /** Takes more if there is room. Returns whether there was. */
  take(amount: number): boolean
  /** Takes more even if there is no room: for memory that is in use already. */
  force(amount: number): void
  /** Takes more as soon as there is room, and then calls `taken`. Waiting requests of one user are served in order. */
  takeLater(amount: number, taken: () => void): void
  give(amount: number): void
  /** Gives everything back and stops waiting. A closed share takes nothing. */
  close(): void
}

/**
 * A limited resource, such as memory or connections, that tenants share. An application may hold as much as is free, and a user a third of
 * what is free. So one application alone gets at most a half, and one user alone at most a quarter. When more tenants use the resource, the
 * maximum of each is lower. Some of it always stays free for tenants that hold little. (Choudhury and Hahne, "Dynamic Queue Length
 * Thresholds for Shared-Memory Packet Switches", 1998.)
 */
export type Shares = {
  open(tenant: Tenant): Share
  readonly held: number
  /** The number of open shares. */
  readonly size: number
}

const USER_FRACTION = 1 / 3

/** `shares` is the number of open shares. */
type Holder = { held: number; shares: number }
type Waiting = { readonly amount: number; readonly taken: () => void }
type User = Holder & { readonly application: Holder; waiting?: Set<Waiting> }

export function openShares(total: number): Shares {
  const applications = new Map<string, Holder>()
  const users = new Map<string, User>()
  /** The users with waiting requests. The user that was served last comes last. */
  const queue = new Set<User>()
  let free = total
  let size = 0

  function hasRoom(user: User, amount: number): boolean {
    const left = free - amount
    return user.application.held + amount <= left && user.held + amount <= left * USER_FRACTION
  }

  function add(user: User, amount: number): void {
    free -= amount
    user.held += amount
    user.application.held += amount
  }

  function serve(): void {
    // A user that was served and still waits is visited again, because it moves to the end.
    for (const user of queue) {
      const [next] = user.waiting ?? []
      if (next === undefined || !hasRoom(user, next.amount)) continue
      leave(user, next)
      if (queue.delete(user)) queue.add(user)
      add(user, next.amount)
      next.taken()
    }
  }

  function leave(user: User, waiting: Waiting): void {
    user.waiting?.delete(waiting)
    if (user.waiting?.size === 0) queue.delete(user)
  }

  return {
    get held() {
      return total - free
    },
    get size() {
      return size
    },
    open(tenant) {
      const { appKey, userId } = tenant
      // NUL separates the parts because neither can contain it.
      const userKey = `${appKey}\0${userId}`
      const application = applications.get(appKey) ?? { held: 0, shares: 0 }
      const user = users.get(userKey) ?? { held: 0, shares: 0, application }
      applications.set(appKey, application)
      users.set(userKey, user)
      application.shares++
      user.shares++
      size++
      let held = 0
      let closed = false
      const mine: Waiting[] = []

      function force(amount: number): void {
        if (closed) return
        held += amount
        add(user, amount)
      }
      function give(amount: number): void {
        if (closed) return
        held -= amount
        add(user, -amount)
        if (queue.size > 0) serve()
      }
      return {
        tenant,
        hasRoom: (amount) => hasRoom(user, amount),
        force,
        give,
        take(amount) {
          if (closed || !hasRoom(user, amount)) return false
          force(amount)
          return true
        },
        takeLater(amount, taken) {
          if (closed) return
          const waiting: Waiting = {
            amount,
            taken() {
              held += amount
              taken()
            },
          }
          mine.push(waiting)
          user.waiting ??= new Set()
          user.waiting.add(waiting)
          queue.add(user)
          serve()
        },
        close() {
          if (closed) return
          for (const waiting of mine) leave(user, waiting)
          give(held)
          closed = true
          size--
          if (--user.shares === 0) users.delete(userKey)
          if (--application.shares === 0) applications.delete(appKey)
        },
      }
    },
  }
}

/** A user, who belongs to one application. */
export type UserKey = { readonly appKey: string; readonly userId: string }

/** The part of a resource that one request of a tenant holds. */
export type Share = {
  readonly tenant: UserKey
  /** What the request has taken, without what is reserved. */
  readonly used: number
  hasRoom(amount: number): boolean
  /** Reserves what the request takes next, if there is room. Returns whether there was. */
  reserve(amount: number): boolean
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
  open(tenant: UserKey): Share
  readonly held: number
  /** The number of open shares. */
  readonly size: number
}

const USER_FRACTION = 1 / 3

/** `shares` is the number of open shares. */
type Holder = { held: number; shares: number }
type Waiting = { readonly amount: number; readonly taken: () => void }
type User = Holder & { readonly application: Holder; waiting?: Set<Waiting> }

/** The state of a resource. `free`: the amount that no tenant holds. `size`: the number of open shares. */
type Pool = {
  free: number
  size: number
  readonly applications: Map<string, Holder>
  readonly users: Map<string, User>
  /** The users with waiting requests. The user that was served last comes last. */
  readonly queue: Set<User>
}

export function openShares(total: number): Shares {
  const pool: Pool = { free: total, size: 0, applications: new Map(), users: new Map(), queue: new Set() }
  return {
    get held() {
      return total - pool.free
    },
    get size() {
      return pool.size
    },
    open: (tenant) => new OpenShare(pool, tenant),
  }
}

/** Each call opens three shares. A share takes 104 bytes; an object with its own functions would take 592. */
class OpenShare implements Share {
  readonly tenant: UserKey
  private readonly pool: Pool
  private readonly user: User
  /** The App-Key and the User-ID, separated by NUL, which neither can contain. */
  private readonly userKey: string
  private held: number
  private reserved: number
  private closed: boolean
  private waiting: Waiting[] | undefined

  constructor(pool: Pool, tenant: UserKey) {
    const { appKey, userId } = tenant
    this.pool = pool
    this.tenant = tenant
    this.held = 0
    this.reserved = 0
    this.closed = false
    this.userKey = `${appKey}\0${userId}`
    const application = pool.applications.get(appKey) ?? { held: 0, shares: 0 }
    this.user = pool.users.get(this.userKey) ?? { held: 0, shares: 0, application }
    pool.applications.set(appKey, application)
    pool.users.set(this.userKey, this.user)
    application.shares++
    this.user.shares++
    pool.size++
  }

  get used(): number {
    return this.held - this.reserved
  }

  hasRoom(amount: number): boolean {
    return hasRoom(this.pool, this.user, amount)
  }

  reserve(amount: number): boolean {
    if (!this.take(amount)) return false
    this.reserved += amount
    return true
  }

  take(amount: number): boolean {
    const more = amount - this.reserved
    if (this.closed || (more > 0 && !hasRoom(this.pool, this.user, more))) return false
    this.force(amount)
    return true
  }

  force(amount: number): void {
    if (this.closed) return
    const more = Math.max(0, amount - this.reserved)
    this.reserved -= amount - more
    this.held += more
    add(this.pool, this.user, more)
  }

  give(amount: number): void {
    if (this.closed) return
    this.held -= amount
    add(this.pool, this.user, -amount)
    if (this.pool.queue.size > 0) serve(this.pool)
  }

  takeLater(amount: number, taken: () => void): void {
    if (this.closed) return
    const waiting: Waiting = {
      amount,
      taken: () => {
        this.held += amount
        taken()
      },
    }
    this.waiting ??= []
    this.waiting.push(waiting)
    this.user.waiting ??= new Set()
    this.user.waiting.add(waiting)
    this.pool.queue.add(this.user)
    serve(this.pool)
  }

  close(): void {
    if (this.closed) return
    const { pool, user, tenant } = this
    for (const waiting of this.waiting ?? []) leave(pool, user, waiting)
    this.give(this.held)
    this.closed = true
    pool.size--
    if (--user.shares === 0) pool.users.delete(this.userKey)
    if (--user.application.shares === 0) pool.applications.delete(tenant.appKey)
  }
}

function hasRoom({ free }: Pool, user: User, amount: number): boolean {
  const left = free - amount
  return user.application.held + amount <= left && user.held + amount <= left * USER_FRACTION
}

function add(pool: Pool, user: User, amount: number): void {
  pool.free -= amount
  user.held += amount
  user.application.held += amount
}

function serve(pool: Pool): void {
  // A user that was served and still waits is visited again, because it moves to the end.
  for (const user of pool.queue) {
    const [next] = user.waiting ?? []
    if (next === undefined || !hasRoom(pool, user, next.amount)) continue
    leave(pool, user, next)
    if (pool.queue.delete(user)) pool.queue.add(user)
    add(pool, user, next.amount)
    next.taken()
  }
}

function leave({ queue }: Pool, user: User, waiting: Waiting): void {
  user.waiting?.delete(waiting)
  if (user.waiting?.size === 0) queue.delete(user)
}

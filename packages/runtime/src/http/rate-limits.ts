import type { Request, Response } from 'express'
import ipaddr from 'ipaddr.js'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Log } from '../log.ts'
import { connectRedis, PRODUCER } from '../queue/redis-queues.ts'
import { Refusal } from '../refusal.ts'
import { openLoop } from '../time.ts'

/** The kinds of limits. Headers, metrics and error messages use these names. */
export type LimitName =
  | 'application'
  | 'user'
  | 'predict-application'
  | 'predict-user'
  | 'workspace'
  | 'console'
  | 'embed'
  | 'account-changes'
  | 'application-account-changes'
  | 'client-registrations'
  | 'address'
  | 'refused-application'
  | 'refused-user'

/** How many requests may count against `key` in each minute of the clock. */
export type RateLimit = { readonly name: LimitName; readonly key: string; readonly quota: number }

/**
 * Counts requests in memory. The check of a request waits for nothing. Every half second, a process adds what it counted to the counts in
 * Redis, and continues with their totals. So several processes together can exceed a limit: by what they receive in half a second, and by
 * 5 % of the limit for each process after the first. While Redis is down, and where the queue is in Postgres, each process applies the limits
 * by itself.
 */
export type RateLimits = {
  /**
   * Counts a request against several limits. Throws `rate_limited` if one of them is reached; the request then counts against none, so
   * that a user who is refused does not use up the limit of the application. Sets the headers of draft-ietf-httpapi-ratelimit-headers-10.
   */
  count(res: Response, limits: readonly RateLimit[]): void
  /** Counts something else than a request in the same way. Returns false, and counts nothing, if one of the limits is reached. */
  take(limits: readonly RateLimit[]): boolean
  /** Counts a request that needs no credentials against the limit of its address. */
  countAnonymous(req: Request, res: Response): void
  /** The limit of requests from one address whose credentials are wrong. */
  readonly wrongCredentials: {
    /**
     * Throws `rate_limited` if the limit of the address is reached. Many clients can share an address, for example behind a proxy, so
     * `credential` (an App-Key, a digest) is still checked if it was right from this address before.
     */
    check(address: string, credential: string): void
    count(address: string): void
    /** Remembers that the credential was right from this address. */
    trust(address: string, credential: string): void
  }
  close(): Promise<void>
}

const WINDOW_MS = 60_000
const SHARE_EVERY_MS = 500
/** Counts below this part of the quota are not shared: most users never reach it, and each shared count costs a command. */
const SHARED_FROM = 0.05
/** Maximum number of counts of each limit in memory, a few megabytes. Beyond it, the oldest count restarts. */
const MAX_COUNTS = 50_000
const MAX_TRUSTED = 10_000
/** Maximum number of requests a minute from one address without valid credentials. A large office needs fewer for its connect pages. */
const ADDRESS_QUOTA = 600

/** What a refusal says. `N` is the quota. */
const RULES: Readonly<Record<LimitName, string>> = {
  application: 'the application may send N requests a minute',
  user: 'the user may send N requests a minute',
  'predict-application': 'the application may predict N times a minute',
  'predict-user': 'the user may predict N times a minute',
  workspace: 'the workspace may send N requests a minute',
  console: 'a person may send N requests a minute, in all sessions and with all tokens',
  embed: 'the embedded pages of a user may send N requests a minute',
  'account-changes': 'the accounts of a user may be changed N times a minute on pages',
  'application-account-changes': 'the server of an application may change accounts and make links N times a minute',
  'client-registrations': 'this address may register N clients a minute',
  address: 'this address may send N requests a minute without valid credentials',
  'refused-application': 'N refused calls of the application are stored a minute',
  'refused-user': 'N refused calls of the user are stored a minute',
}

type Count = {
  quota: number
  /** Requests in this window: the total of all processes as last known, and what this process counted since. */
  used: number
  /** Requests in `used` that Redis has not counted. */
  unshared: number
}

/** The counts of a window by key. Each limit has its own map, so that a flood of addresses does not displace the counts of users. */
type Counts = ReadonlyMap<LimitName, Map<string, Count>>

type Parts = {
  readonly queueUrl: string
  readonly queuePrefix: string
  /** Counts refused requests by limit. */
  readonly refused: { inc(labels: { limit: LimitName }): void }
  readonly log: Log
}

export function openRateLimits({ queueUrl, queuePrefix, refused, log }: Parts): RateLimits {
  let window = 0
  let counts = newCounts()
  const trusted = new Set<string>()

  /** Returns the milliseconds until the window ends. Begins a new window if the last one ended. */
  function endsInMs(): number {
    const now = Date.now()
    const current = Math.floor(now / WINDOW_MS)
    if (current !== window) {
      window = current
      counts = newCounts()
    }
    return (window + 1) * WINDOW_MS - now
  }

  function countOf({ name, key, quota }: RateLimit): Count {
    const byKey = counts.get(name) as Map<string, Count>
    const known = byKey.get(key)
    if (known !== undefined) {
      known.quota = quota
      return known
    }
    if (byKey.size >= MAX_COUNTS) deleteFirst(byKey)
    const count = { quota, used: 0, unshared: 0 }
    byKey.set(key, count)
    return count
  }

  function refuse({ name, quota }: RateLimit, seconds: number): never {
    refused.inc({ limit: name })
    throw new Refusal('rate_limited', `${RULES[name].replace('N', String(quota))}; retry in ${seconds} s`, [], {
      retryAfterSeconds: seconds,
    })
  }

  function count(res: Response, limits: readonly RateLimit[]): void {
    const seconds = Math.ceil(endsInMs() / 1_000)
    const counted = limits.map(countOf)
    const reached = limits.find((_limit, n) => isReached(counted[n]))
    if (reached === undefined) counted.forEach(add)
    res.setHeader('RateLimit-Policy', limits.map(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_MS / 1_000}`).join(', '))
    res.setHeader('RateLimit', limits.map(({ name }, n) => `"${name}";r=${remaining(counted[n])};t=${seconds}`).join(', '))
    if (reached !== undefined) refuse(reached, seconds)
  }

  function take(limits: readonly RateLimit[]): boolean {
    endsInMs()
    const counted = limits.map(countOf)
    if (counted.some(isReached)) return false
    counted.forEach(add)
    return true
  }

  const limitOf = (address: string): RateLimit => ({ name: 'address', key: address, quota: ADDRESS_QUOTA })

  const shared = openSharedCounts(queueUrl, queuePrefix)
  const sharing = openLoop(SHARE_EVERY_MS, async () => await shared?.add(window, counts), log)

  return {
    count,
    take,
    countAnonymous: (req, res) => count(res, [limitOf(addressOf(req))]),
    wrongCredentials: {
      check(address, credential) {
        const ms = endsInMs()
        const limit = limitOf(address)
        const reached = isReached(counts.get('address')?.get(address))
        if (reached && !trusted.has(`${address} ${credential}`)) refuse(limit, Math.ceil(ms / 1_000))
      },
      count(address) {
        endsInMs()
        add(countOf(limitOf(address)))
      },
      trust(address, credential) {
        const id = `${address} ${credential}`
        if (trusted.has(id)) return
        if (trusted.size >= MAX_TRUSTED) deleteFirst(trusted)
        trusted.add(id)
      },
    },
    async close() {
      await sharing.close()
      shared?.close()
    },
  }
}

function newCounts(): Counts {
  return new Map((Object.keys(RULES) as LimitName[]).map((name) => [name, new Map()]))
}

function isReached(count: Count | undefined): boolean {
  return count !== undefined && count.used >= count.quota
}

function remaining(count: Count | undefined): number {
  return count === undefined ? 0 : Math.max(0, count.quota - count.used)
}

function add(count: Count): void {
  count.used += 1
  count.unshared += 1
}

/** Deletes the oldest key: maps and sets return their keys in the order of insertion. */
function deleteFirst(keyed: { keys(): Iterator<string>; delete(key: string): boolean }): void {
  const { value } = keyed.keys().next()
  if (value !== undefined) keyed.delete(value)
}

/** Returns the address of the client. Of an IPv6 address, returns the first 64 bits, because one client usually owns the whole /64 network. */
export function addressOf({ ip = '' }: Request): string {
  if (!ip.includes(':')) return ip
  // A proxy can forward anything.
  if (!ipaddr.isValid(ip)) return ip.slice(0, 64)
  const address = ipaddr.process(ip)
  if (!(address instanceof ipaddr.IPv6)) return address.toString()
  const first = address.parts.slice(0, 4)
  return first.map((part) => part.toString(16)).join(':')
}

type SharedCounts = {
  /** Adds the unshared requests to the counts in Redis, and stores the totals in `counts`. If Redis fails, they stay unshared. */
  add(window: number, counts: Counts): Promise<void>
  close(): void
}

/** Returns undefined if the queue is not in Redis. */
function openSharedCounts(queueUrl: string, queuePrefix: string): SharedCounts | undefined {
  if (!/^rediss?(\+cluster)?:/.test(queueUrl)) return undefined
  const redis = connectRedis(queueUrl, PRODUCER)
  // Not logged here: the queue uses the same Redis, and logs its failures.
  redis.on('error', () => {})
  // `penalty` only adds and never refuses, so `points` has no effect.
  const store = new RateLimiterRedis({ storeClient: redis, keyPrefix: `${queuePrefix}:rate`, points: 1, duration: WINDOW_MS / 1_000 })

  async function share(key: string, count: Count): Promise<void> {
    const added = count.unshared
    const { consumedPoints } = await store.penalty(key, added)
    count.unshared -= added
    count.used = consumedPoints + count.unshared
  }

  return {
    async add(window, counts) {
      const pending: Promise<void>[] = []
      for (const [name, byKey] of counts) {
        for (const [key, count] of byKey) {
          if (count.unshared > 0 && count.used >= count.quota * SHARED_FROM) pending.push(share(`${window}:${name}:${key}`, count))
        }
      }
      await Promise.allSettled(pending)
    },
    close: () => redis.disconnect(),
  }
}

import type { Log } from '../log.ts'
import type { Answer } from './listener.ts'

/**
 * Values of Postgres in memory, by key. They are used only while it is proven that they were current less than a second ago; otherwise the
 * caller reads the database. A caller must read it too before it refuses a request: then what was just added or renewed works at once.
 */
export type FreshCache<V> = {
  /** Returns the value in memory; undefined if there is none, or if it may be outdated. */
  get(key: string): V | undefined
  /** Returns the value that `read` returns, and stores it. `read` must send its query only after it was called. */
  load(key: string, read: () => Promise<Read<V> | undefined>): Promise<V | undefined>
  /** Drops the value. A process calls this after its own change has committed, so that its next request uses the change. */
  drop(key: string): void
}

/** A value, and the `SERVER_ID` of the server that it was read from. */
export type Read<V> = { readonly value: V; readonly server: string }

/** The caches of a process, and what its listener must call. */
export type FreshCaches = {
  /** Opens a cache of at most `max` values. */
  open<V>(max: number): FreshCache<V>
  /** Drops a key that has changed. Drops everything if the key is empty, or missing because listening has begun. */
  readonly onNews: (key?: string) => void
  readonly onResponse: (response: Answer) => void
}

/**
 * The values are used this long after the listener sent a query that was answered. The response proves that all changes that had committed
 * before have dropped their values. So a change takes effect within this time, also if the listener's connection breaks or falls silent.
 */
const FRESH_MS = 800
/** Values are read again after this time, in case that a change was made without the triggers of the database. */
const MAX_AGE_MS = 300_000
/** The part of the values that is removed when there is no room. The oldest go first. */
const REMOVED = 0.1

/**
 * `value` is undefined while it is being read. `since` is when that began. All times are by `performance.now()`, so a clock that is wrong or
 * changed has no effect. That time may stop while a machine sleeps; then values are used for at most 0.8 s after it wakes up.
 */
type Entry<V> = { value: V | undefined; readonly since: number }

export function openFreshCaches(log: Log): FreshCaches {
  const all: Map<string, Entry<unknown>>[] = []
  let provenAt = Number.NEGATIVE_INFINITY
  let server: string | undefined
  let warned = false

  function dropAll(): void {
    for (const entries of all) entries.clear()
  }

  function open<V>(max: number): FreshCache<V> {
    const entries = new Map<string, Entry<V>>()
    all.push(entries)

    function makeRoom(): void {
      let left = Math.ceil(max * REMOVED)
      for (const key of entries.keys()) {
        if (left-- === 0) return
        entries.delete(key)
      }
    }

    /**
     * Adds the entry before the query is sent, so that a change during the query removes it. Only the first of several concurrent reads gets
     * one: the result of an earlier query must not be shared, because it may miss a change that a later caller knows of.
     */
    function begin(key: string): Entry<V> | undefined {
      if (entries.has(key)) return undefined
      if (entries.size >= max) makeRoom()
      const entry = { value: undefined, since: performance.now() }
      entries.set(key, entry)
      return entry
    }

    function end(key: string, entry: Entry<V>, read: Read<V> | undefined): void {
      if (entries.get(key) !== entry) return
      if (read !== undefined && read.server === server) entry.value = read.value
      else entries.delete(key)
      // After a failover, an old primary that still runs may serve one of the connections. Then nothing that was read before is certain.
      if (read !== undefined && read.server !== server) dropAll()
    }

    return {
      get(key) {
        const entry = entries.get(key)
        if (entry?.value === undefined) return undefined
        const now = performance.now()
        if (now - entry.since >= MAX_AGE_MS) entries.delete(key)
        else if (now - provenAt < FRESH_MS) return entry.value
        return undefined
      },
      async load(key, read) {
        const entry = begin(key)
        let found: Read<V> | undefined
        try {
          found = await read()
          return found?.value
        } finally {
          if (entry !== undefined) end(key, entry, found)
        }
      },
      drop: (key) => void entries.delete(key),
    }
  }

  return {
    open,
    onNews(key) {
      if (key === undefined || key === '') dropAll()
      else for (const entries of all) entries.delete(key)
      if (key !== undefined) return
      // Listening has begun, perhaps to another server. Until its first response, a value may have been read from the previous one.
      provenAt = Number.NEGATIVE_INFINITY
      server = undefined
    },
    onResponse(response) {
      if (response.direct) provenAt = response.askedAt
      server = response.server
      if (!response.direct && !warned) {
        log.warn('notifications of Postgres come through a pooler and can get lost, so nothing is kept in memory; set DATABASE_DIRECT_URL')
        warned = true
      }
    },
  }
}

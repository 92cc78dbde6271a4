import { buildPast, joinPasts, type Knowledge, type Past } from '@onward/predict'
import { type Log, openLoop, type UserKey } from '@onward/runtime'
import { learnPastPrompts } from '../db/learn-past-prompts.ts'
import { findPastState, selectSharedPrompts, selectUserPrompts } from '../db/past-prompts.ts'
import type { Db } from '../db/tables.ts'
import { type Notes, openNotes } from './notes.ts'

/**
 * Learning from use: a prompt whose predicted function was then called supports that function for similar prompts of the same user. If
 * several users have it in common, it supports the function for all users of their application.
 */
export type LearntPast = Pick<Notes, 'note'> & Pick<PastCache, 'of'> & { close(): Promise<void> }

const LEARN_MS = 15_000
/** The number of predictions per transaction. */
const STEP = 500

export function openPast(db: Db, knowledge: () => Promise<Knowledge>, log: Log): LearntPast {
  const notes = openNotes(db, log)
  const cached = openPastCache(db, knowledge, log)
  const loop = openLoop(
    LEARN_MS,
    async (signal) => {
      while (!signal.aborted && (await learnPastPrompts(db, STEP)) === STEP);
    },
    log,
  )
  return {
    note: notes.note,
    of: cached.of,
    async close() {
      await loop.close()
      await notes.idle()
      await cached.idle()
    },
  }
}

/** Caches past prompts in memory. */
type PastCache = {
  /**
   * Returns the past prompts that count for a user; undefined when there are none or the application does not learn. Never rejects: when
   * Postgres fails, it returns the last known past.
   */
  of(user: UserKey): Promise<Past | undefined>
  /** Resolves when nothing is being read. */
  idle(): Promise<void>
}

type CachedPast = {
  readonly past: Past
  /** Of the user's own past: `own` of its PastState. Of the shared past: the id of its newest prompt. */
  readonly state: string
  /** The shared past is not rebuilt before this time of `performance.now()`. */
  readonly rebuildFrom: number
}

/** Maximum number of past prompts in the cache, about 50 MB. The least recently used users and applications are removed. */
const MAX_CACHED_PROMPTS = 100_000
/** An entry takes as much memory as this many prompts, even if it has only one. */
const ENTRY = 50
/** After a rebuild, the next one waits 20 times as long as it took, so that rebuilding takes at most a twentieth of the time. */
const REBUILD_PAUSE_FACTOR = 20

function openPastCache(db: Db, knowledge: () => Promise<Knowledge>, log: Log): PastCache {
  // Sorted by use; the last entry was used last.
  const cached = new Map<string, CachedPast>()
  let size = 0
  const reading = new Map<string, Promise<Past | undefined>>()

  /** Concurrent requests share one rebuild. `read` returns undefined when there are no prompts. */
  function rebuildOnce(key: string, read: () => Promise<Omit<CachedPast, 'rebuildFrom'> | undefined>): Promise<Past | undefined> {
    const known = reading.get(key)
    if (known !== undefined) return known
    const rebuild = async () => {
      const begun = performance.now()
      const found = await read()
      if (found === undefined) return undefined
      const ended = performance.now()
      putLast(key, { ...found, rebuildFrom: ended + REBUILD_PAUSE_FACTOR * (ended - begun) })
      return found.past
    }
    const rebuilding = rebuild().finally(() => reading.delete(key))
    reading.set(key, rebuilding)
    return rebuilding
  }

  /** Puts an entry last, and removes the least recently used ones beyond MAX_CACHED_PROMPTS. */
  function putLast(key: string, entry: CachedPast): void {
    remove(key)
    cached.set(key, entry)
    size += ENTRY + entry.past.count
    for (const oldest of cached.keys()) {
      if (size <= MAX_CACHED_PROMPTS) return
      remove(oldest)
    }
  }

  function remove(key: string): void {
    const entry = cached.get(key)
    if (cached.delete(key)) size -= ENTRY + (entry?.past.count ?? 0)
  }

  /** The user's own past is small, so a request waits until it is up to date. */
  async function findOwn({ appKey, userId }: UserKey, state: string | null): Promise<Past | undefined> {
    const key = ownKey({ appKey, userId })
    const before = cached.get(key)
    if (state === null) remove(key)
    if (state === null) return undefined
    if (before?.state !== state) {
      return await rebuildOnce(key, async () => ({
        past: await buildPast(await selectUserPrompts(db, appKey, userId), await knowledge()),
        state,
      }))
    }
    putLast(key, before)
    return before.past
  }

  /**
   * `newest` is the id of the newest shared prompt. A request waits for a rebuild if `knownExists` is false, because the newest prompt of
   * the cached past was cleared.
   */
  async function findShared(appKey: string, newest: string | null, knownExists: boolean): Promise<Past | undefined> {
    const before = cached.get(appKey)
    if (newest === null) remove(appKey)
    if (newest === null) return undefined
    const rebuild = () =>
      rebuildOnce(appKey, async () => {
        const prompts = await selectSharedPrompts(db, appKey)
        const [first] = prompts
        return first && { past: await buildPast(prompts, await knowledge()), state: first.id }
      })
    if (before === undefined || !knownExists) return await rebuild()
    putLast(appKey, before)
    // The newest shared prompts are read in the background; this request does not wait for them.
    if (newest !== before.state && performance.now() >= before.rebuildFrom) rebuild().catch(warn)
    return before.past
  }

  function warn(err: unknown): void {
    log.warn({ err }, 'past prompts could not be read; predictions use the last known ones')
  }

  return {
    async of(user) {
      try {
        const known = cached.get(user.appKey)?.state ?? null
        const { own, shared, knownExists } = await findPastState(db, user.appKey, user.userId, known)
        return joinPasts(await findOwn(user, own), await findShared(user.appKey, shared, knownExists))
      } catch (err) {
        warn(err)
        return joinPasts(cached.get(ownKey(user))?.past, cached.get(user.appKey)?.past)
      }
    },
    async idle() {
      await Promise.allSettled(reading.values())
    },
  }
}

/** An App-Key contains no space, so the key differs from all App-Keys. */
function ownKey({ appKey, userId }: UserKey): string {
  return `${appKey} ${userId}`
}

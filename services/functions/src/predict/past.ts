import { buildPast, type Knowledge, type Past } from '@onward/predict'
import { type Log, openLoop } from '@onward/runtime'
import { learnPastPrompts } from '../db/learn-past-prompts.ts'
import { findNewestPast, selectPastPrompts } from '../db/past-prompts.ts'
import type { Db } from '../db/tables.ts'
import { type Notes, openNotes } from './notes.ts'

/**
 * Learning from use: a prompt whose predicted function was then called supports that function for similar prompts of the same application.
 */
export type LearntPast = Pick<Notes, 'note'> & Pick<PastCache, 'of'> & { close(): Promise<void> }

const LEARN_MS = 15_000
/** The number of predictions per transaction. */
const STEP = 500

export function openPast(db: Db, knowledge: Knowledge, log: Log): LearntPast {
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

/** Caches the past prompts of applications in memory. */
type PastCache = {
  /**
   * Returns undefined when the application has no past prompts or does not learn. Never rejects: when Postgres fails, it returns the last
   * known past.
   */
  of(appKey: string): Promise<Past | undefined>
  /** Resolves when nothing is being read. */
  idle(): Promise<void>
}

type CachedPast = { readonly past: Past; readonly newest: string; readonly rebuildFrom: number }

/** Maximum number of past prompts in the cache, about 50 MB. The least recently used applications are removed. */
const MAX_CACHED_PROMPTS = 100_000
/** After a rebuild, the next one waits 20 times as long as it took, so that rebuilding takes at most a twentieth of the time. */
const REBUILD_SHARE = 20

function openPastCache(db: Db, knowledge: Knowledge, log: Log): PastCache {
  // Sorted by use; the last entry was used last.
  const cached = new Map<string, CachedPast>()
  const reading = new Map<string, Promise<Past | undefined>>()

  async function rebuild(appKey: string): Promise<Past | undefined> {
    const begun = performance.now()
    const prompts = await selectPastPrompts(db, appKey)
    const [first] = prompts
    if (first === undefined) return undefined
    const past = await buildPast(prompts, knowledge)
    const ended = performance.now()
    putLast(appKey, { past, newest: first.id, rebuildFrom: ended + REBUILD_SHARE * (ended - begun) })
    return past
  }

  /** Concurrent requests for an application share one rebuild. */
  function rebuildOnce(appKey: string): Promise<Past | undefined> {
    const known = reading.get(appKey)
    if (known !== undefined) return known
    const rebuilding = rebuild(appKey).finally(() => reading.delete(appKey))
    reading.set(appKey, rebuilding)
    return rebuilding
  }

  /** Puts an entry last, and removes the least recently used ones beyond MAX_CACHED_PROMPTS. */
  function putLast(appKey: string, entry: CachedPast): void {
    cached.delete(appKey)
    cached.set(appKey, entry)
    let count = 0
    for (const [each, { past }] of [...cached].reverse()) {
      count += past.count
      if (count > MAX_CACHED_PROMPTS) cached.delete(each)
    }
  }

  async function find(appKey: string): Promise<Past | undefined> {
    const before = cached.get(appKey)
    const { newest, knownExists } = await findNewestPast(db, appKey, before?.newest ?? null)
    if (newest === null) {
      cached.delete(appKey)
      return undefined
    }
    if (before === undefined || !knownExists) return await rebuildOnce(appKey)
    putLast(appKey, before)
    // The newest past prompts are read in the background; this request does not wait for them.
    if (newest !== before.newest && performance.now() >= before.rebuildFrom) rebuildOnce(appKey).catch(warn)
    return before.past
  }

  function warn(err: unknown): void {
    log.warn({ err }, 'past prompts could not be read; predictions use the last known ones')
  }

  return {
    async of(appKey) {
      try {
        return await find(appKey)
      } catch (err) {
        warn(err)
        return cached.get(appKey)?.past
      }
    },
    async idle() {
      await Promise.allSettled(reading.values())
    },
  }
}

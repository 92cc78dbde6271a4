import { buildPast, type Knowledge, type Past } from '@onward/predict'
import type { Log } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { findNewestPast, selectPastPrompts } from '../../db/past-prompts.ts'
import type { Tables } from '../../db/tables.ts'

/** The past prompts of applications, in memory as ranking wants them. */
export type HeldPast = {
  /** Undefined when the application has none or does not learn. Never fails: without Postgres it is what was there last. */
  of(appKey: string): Promise<Past | undefined>
  /** Resolves when nothing is being read any more. */
  idle(): Promise<void>
}

type Held = { readonly past: Past; readonly newest: string; readonly rebuildFrom: number }

/** Past prompts of all applications together, some 50 MB; the applications that were used last stay. */
const HELD_MOST = 100_000
/** Reading anew what has grown may take a twentieth of the time. */
const REBUILD_SHARE = 20

export function openHeldPast(db: Kysely<Tables>, knowledge: Knowledge, log: Log): HeldPast {
  // The one that was used last is the last.
  const held = new Map<string, Held>()
  const reading = new Map<string, Promise<Past | undefined>>()

  async function readNow(appKey: string): Promise<Past | undefined> {
    const begun = performance.now()
    const prompts = await selectPastPrompts(db, appKey)
    const [first] = prompts
    if (first === undefined) return undefined
    const past = await buildPast(prompts, knowledge)
    const ended = performance.now()
    use(appKey, { past, newest: first.id, rebuildFrom: ended + REBUILD_SHARE * (ended - begun) })
    return past
  }

  function read(appKey: string): Promise<Past | undefined> {
    const known = reading.get(appKey)
    if (known !== undefined) return known
    const now = readNow(appKey).finally(() => reading.delete(appKey))
    reading.set(appKey, now)
    return now
  }

  function use(appKey: string, one: Held): void {
    held.delete(appKey)
    held.set(appKey, one)
    let count = 0
    for (const [each, { past }] of [...held].reverse()) {
      count += past.count
      if (count > HELD_MOST) held.delete(each)
    }
  }

  async function find(appKey: string): Promise<Past | undefined> {
    const before = held.get(appKey)
    const { newest, kept } = await findNewestPast(db, appKey, before?.newest ?? null)
    if (newest === null) {
      held.delete(appKey)
      return undefined
    }
    if (before === undefined || !kept) return await read(appKey)
    use(appKey, before)
    // What was learnt since may wait a moment; an answer may not.
    if (newest !== before.newest && performance.now() >= before.rebuildFrom) read(appKey).catch(warn)
    return before.past
  }

  function warn(err: unknown): void {
    log.warn({ err }, 'past prompts could not be read; predictions are made without the latest')
  }

  return {
    async of(appKey) {
      try {
        return await find(appKey)
      } catch (err) {
        warn(err)
        return held.get(appKey)?.past
      }
    },
    async idle() {
      await Promise.allSettled(reading.values())
    },
  }
}

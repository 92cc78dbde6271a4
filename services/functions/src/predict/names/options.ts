import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** An option of a source function: the value to send, its label, and the folded words of the label. */
export type Option = { readonly value: unknown; readonly label: string; readonly words: readonly string[] }

/** The options of a source function. `complete` is false when a page is missing. */
export type Offered = { readonly options: readonly Option[]; readonly complete: boolean }

/** What to search for in a prompt. */
export type NameQuery = {
  /** Words that say what kind of thing the parameter names, such as `channel` or `pipeline`. */
  readonly nouns: readonly string[]
  /** Words of the function's title. They are rarely a name. */
  readonly about: readonly string[]
  /** The span of the predicted value: UTF-16 offsets, the end is exclusive. */
  readonly span: readonly [number, number] | undefined
  readonly required: boolean
}

/** `confidence` is 0 to 1. */
export type FoundOption = { readonly option: Option; readonly span: readonly [number, number]; readonly confidence: number }

/** Undefined when the app could not be called or did not answer. */
export type Listed = Offered | undefined

/** Caches the options of source functions. */
export type OptionCache = {
  /**
   * Returns the cached options, or the options from `load`, which must not reject. Concurrent requests with the same `key` share one load.
   * `key` is a JSON value that identifies the caller, the account with its credentials, the source and the arguments.
   */
  get(key: unknown, load: () => Promise<Listed>): Promise<Listed>
  /** Resolves when no load is pending. */
  idle(): Promise<void>
}

const CACHED_MS = 60_000
/** Incomplete or failed results are cached for a shorter time. */
const FAILED_MS = 5_000
/** The number of options in the cache: about 20 MB. */
const MAX_CACHED_OPTIONS = 100_000

export function openOptionCache(): OptionCache {
  const cached = new LRUCache<string, { readonly listed: Listed }>({
    maxSize: MAX_CACHED_OPTIONS,
    sizeCalculation: ({ listed }) => 1 + (listed?.options.length ?? 0),
  })
  const pending = new Map<string, Promise<Listed>>()

  async function loadNow(key: string, load: () => Promise<Listed>): Promise<Listed> {
    const listed = await load()
    cached.set(key, { listed }, { ttl: listed?.complete ? CACHED_MS : FAILED_MS })
    return listed
  }

  return {
    async get(identity, load) {
      // The key is a hash, because arguments may be a megabyte long, and keys do not count in `maxSize`.
      const key = createHash('sha256').update(JSON.stringify(identity)).digest('base64')
      const known = cached.get(key)
      if (known !== undefined) return known.listed
      const loading = pending.get(key) ?? loadNow(key, load).finally(() => pending.delete(key))
      pending.set(key, loading)
      return await loading
    },
    async idle() {
      await Promise.allSettled(pending.values())
    },
  }
}

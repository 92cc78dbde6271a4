import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Offered } from './option.ts'

/** Undefined: the app could not be asked, or did not answer. */
export type Listed = Offered | undefined

/** What source functions offered lately, by who was asked what. */
export type HeldOptions = {
  /**
   * What is held about this, else what `ask` gives; who asks for the same at once waits for the same answer. `ask` never rejects. `about`
   * is JSON, and says who asks, as which account with which credentials, whom, and with which arguments.
   */
  get(about: unknown, ask: () => Promise<Listed>): Promise<Listed>
  /** Resolves when nobody is being asked any more. */
  idle(): Promise<void>
}

const HELD_MS = 60_000
/** An app that is down, or slow, has that long between two prompts. */
const FAILED_MS = 5_000
/** Of all that is held together, some 20 MB. */
const MOST_OPTIONS = 100_000

export function holdOptions(): HeldOptions {
  const held = new LRUCache<string, { readonly listed: Listed }>({
    maxSize: MOST_OPTIONS,
    sizeCalculation: ({ listed }) => 1 + (listed?.options.length ?? 0),
  })
  const input = new Map<string, Promise<Listed>>()

  async function askNow(key: string, ask: () => Promise<Listed>): Promise<Listed> {
    const listed = await ask()
    held.set(key, { listed }, { ttl: listed?.whole ? HELD_MS : FAILED_MS })
    return listed
  }

  return {
    async get(about, ask) {
      // Arguments may be a megabyte, and keys do not count in `maxSize`.
      const key = createHash('sha256').update(JSON.stringify(about)).digest('base64')
      const known = held.get(key)
      if (known !== undefined) return known.listed
      const under = input.get(key) ?? askNow(key, ask).finally(() => input.delete(key))
      input.set(key, under)
      return await under
    },
    async idle() {
      await Promise.allSettled(input.values())
    },
  }
}

import { createHash } from 'node:crypto'

/** What receivers took: `undelivered` were never answered 2xx, `repeated` is how often one was answered so again, `changed` came in several forms. */
export type Totals = {
  readonly requests: number
  readonly webhooks: number
  readonly undelivered: number
  readonly repeated: number
  readonly changed: number
}

type Entry = { readonly firstAt: number; readonly hash: string; requests: number; answered: number; changed: boolean }

export function openLedger() {
  const entries = new Map<string, Entry>()
  return {
    note(id: string, body: Buffer, at: number, answered: boolean): void {
      const hash = createHash('sha256').update(body).digest('base64')
      const entry = entries.get(id) ?? { firstAt: at, hash, requests: 0, answered: 0, changed: false }
      entries.set(id, entry)
      entry.requests++
      if (answered) entry.answered++
      if (hash !== entry.hash) entry.changed = true
    },
    totals(): Totals {
      const all = [...entries.values()]
      return {
        requests: all.reduce((sum, each) => sum + each.requests, 0),
        webhooks: all.length,
        undelivered: all.filter((each) => each.answered === 0).length,
        repeated: all.reduce((sum, each) => sum + Math.max(0, each.answered - 1), 0),
        changed: all.filter((each) => each.changed).length,
      }
    },
    /** When each webhook first came, in milliseconds since 1970, by its id. */
    arrivals: (): [string, number][] => [...entries].map(([id, entry]) => [id, entry.firstAt]),
  }
}

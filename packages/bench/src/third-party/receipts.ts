import { createHash } from 'node:crypto'

type Taken = { readonly event: string; times: number; readonly hashes: Set<string> }

/** Which webhooks came, how often, and in how many different forms. */
export function openReceipts() {
  const taken = new Map<string, Taken>()
  return {
    add(id: string, event: string, body: Buffer): void {
      const one = taken.get(id) ?? { event, times: 0, hashes: new Set() }
      one.times++
      one.hashes.add(createHash('sha256').update(body).digest('base64'))
      taken.set(id, one)
    },
    all: () => [...taken].map(([id, { event, times, hashes }]) => ({ id, event, times, bodies: hashes.size })),
  }
}

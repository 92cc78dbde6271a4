import type { Sealer } from '@onward/runtime'
import { secretRow } from './secret-row.ts'

const MOST = 10_000
const PREFIX = 'whsec_'

/** Opens sealed secrets of subscriptions: `whsec_` and the key in base64. */
export type SigningKeys = (subscriptionId: string, sealed: Buffer) => Buffer

/** Remembers what it has opened: that takes longer than to sign. */
export function openSigningKeys(sealer: Sealer): SigningKeys {
  const opened = new Map<string, Buffer>()
  return (subscriptionId, sealed) => {
    const row = secretRow(subscriptionId)
    const name = row + sealed.toString('latin1')
    const known = opened.get(name)
    if (known !== undefined) return known
    const key = Buffer.from(sealer.open(sealed, row).slice(PREFIX.length), 'base64')
    if (opened.size >= MOST) opened.clear()
    opened.set(name, key)
    return key
  }
}

import { createHmac, randomBytes } from 'node:crypto'
import type { SealedColumn, Sealer } from '@onward/runtime'

const PREFIX = 'whsec_'
const MAX_OPENED = 10_000

/** Returns a new signing secret for a subscription in the format of Standard Webhooks, and the sealed secret to store. */
export function newSigningSecret(sealer: Sealer, subscriptionId: string): { secret: string; sealedSecret: Buffer } {
  const secret = `${PREFIX}${randomBytes(32).toString('base64')}`
  return { secret, sealedSecret: sealer.seal(secret, secretRow(subscriptionId)) }
}

/** Opens the sealed secret of a subscription and returns its key. */
export type SigningKeys = (subscriptionId: string, sealed: Buffer) => Buffer

/** Caches the opened keys: opening takes longer than signing. */
export function openSigningKeys(sealer: Sealer): SigningKeys {
  const opened = new Map<string, Buffer>()
  return (subscriptionId, sealed) => {
    const row = secretRow(subscriptionId)
    const cacheKey = row + sealed.toString('latin1')
    const known = opened.get(cacheKey)
    if (known !== undefined) return known
    const key = Buffer.from(sealer.open(sealed, row).slice(PREFIX.length), 'base64')
    if (opened.size >= MAX_OPENED) opened.clear()
    opened.set(cacheKey, key)
    return key
  }
}

/** Returns one signature of Standard Webhooks (symmetric, v1). */
export function signature(key: Buffer, id: string, timestamp: string, body: string): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** Returns the name of the row to which the sealed secret is bound. */
function secretRow(subscriptionId: string): string {
  return `subscription/${subscriptionId}`
}

/** The columns with sealed secrets. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'subscription', column: 'sealed_secret', key: ['id'], row: secretRow },
  { table: 'subscription', column: 'previous_sealed_secret', key: ['id'], row: secretRow },
]

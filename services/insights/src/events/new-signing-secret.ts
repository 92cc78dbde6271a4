import { randomBytes } from 'node:crypto'
import type { Sealer } from '@onward/runtime'
import { secretRow } from './secret-row.ts'

/** A new signing secret of a subscription, as Standard Webhooks writes it, and sealed for its row. */
export function newSigningSecret(sealer: Sealer, subscriptionId: string): { secret: string; sealedSecret: Buffer } {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  return { secret, sealedSecret: sealer.seal(secret, secretRow(subscriptionId)) }
}

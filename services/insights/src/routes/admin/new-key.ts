import { randomBytes } from 'node:crypto'

/** A partner API key. It is shown once and stored as SHA-256 only. */
export function newPartnerKey(): string {
  return `pk_${randomBytes(32).toString('base64url')}`
}

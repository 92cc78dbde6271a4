import { randomBytes } from 'node:crypto'

/** A new application secret: 32 random bytes behind `sk_`, so that it is recognised where it should not be. */
export function newSecret(): string {
  return `sk_${randomBytes(32).toString('base64url')}`
}

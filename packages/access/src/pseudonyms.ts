import { createHmac } from 'node:crypto'
import { lazy, type UserKey } from '@onward/runtime'
import { deriveKey } from './signed-tokens.ts'

/** Returns the id that replaces the User-ID of a deleted user in counts and logs. Only who has ADMIN_TOKEN can derive it from a User-ID. */
export type PseudonymOf = (user: UserKey) => Promise<string>

/** Both services derive the same pseudonyms from ADMIN_TOKEN, so that neither stores whom it deleted. */
export function openPseudonyms(adminToken: string): PseudonymOf {
  const key = lazy(() => deriveKey(adminToken, 'pseudonyms'))
  return async ({ appKey, userId }) => {
    const digest = createHmac('sha256', await key())
      .update(JSON.stringify([appKey, userId]))
      .digest('hex')
    return `deleted-${digest.slice(0, 32)}`
  }
}

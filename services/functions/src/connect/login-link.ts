import type { Sealer } from '@onward/runtime'

/** What a login link says: who connects an account of which app. */
export type LoginLink = { readonly appKey: string; readonly userId: string; readonly app: string; readonly expiresAt: Date }

/** How long a login link can be opened. */
export const LINK_MS = 30 * 60_000

const ROW = 'connect-link'
const MAX_TOKEN = 8_192

/** The token of a link, for a URL. Sealed rather than signed: it shows nobody who the user is. */
export function sealLoginLink(sealer: Sealer, { appKey, userId, app, expiresAt }: LoginLink): string {
  return sealer.seal(JSON.stringify([appKey, userId, app, expiresAt.getTime()]), ROW).toString('base64url')
}

/** What a token says, expired or not; undefined for one that we did not make. */
export function openLoginLink(sealer: Sealer, token: string): LoginLink | undefined {
  if (token.length > MAX_TOKEN || !/^[\w-]+$/.test(token)) return undefined
  try {
    const [appKey, userId, app, expires] = JSON.parse(sealer.open(Buffer.from(token, 'base64url'), ROW))
    return { appKey, userId, app, expiresAt: new Date(expires) }
  } catch {
    return undefined
  }
}

import type { EmbedView } from '@onward/contract'
import { jwtVerify, SignJWT } from 'jose'
import { ACCESS_SECONDS, openTokenKey } from './session-tokens.ts'

/** Whom an embedded page is shown to, and what it may show. */
export type EmbedHolder = {
  readonly sessionId: string
  /** The workspace of the application. A service that knows the application under another workspace must refuse the token. */
  readonly workspaceId: string
  readonly appKey: string
  readonly userId: string
  readonly views: readonly EmbedView[]
}

/**
 * Signs and verifies the access tokens of embedded pages, as `SessionTokens` does for the console. The two have different keys and audiences,
 * so neither accepts the tokens of the other.
 */
export type EmbedTokens = {
  sign(holder: EmbedHolder): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the holder of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<EmbedHolder | undefined>
}

const NAME = 'onward-embed'
const ALGORITHM = 'HS256'

export function openEmbedTokens(adminToken: string): EmbedTokens {
  const key = openTokenKey(adminToken, 'embed')
  return {
    async sign({ userId, ...claims }) {
      const expiresAt = Math.floor(Date.now() / 1_000) + ACCESS_SECONDS
      const unsigned = new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM }).setSubject(userId).setIssuer(NAME).setAudience(NAME)
      return { token: await unsigned.setExpirationTime(expiresAt).sign(await key()), expiresAt: new Date(expiresAt * 1_000) }
    },
    async verify(token) {
      const options = { issuer: NAME, audience: NAME, algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] }
      const verified = await jwtVerify<Omit<EmbedHolder, 'userId'> & { sub: string }>(token, await key(), options).catch(() => undefined)
      if (verified === undefined) return undefined
      const { sub: userId, sessionId, workspaceId, appKey, views } = verified.payload
      return { sessionId, workspaceId, appKey, userId, views }
    },
  }
}

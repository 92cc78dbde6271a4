import type { EmbedView } from '@onward/contract'
import { openSignedTokens } from './signed-tokens.ts'

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
 * Signs and verifies the access tokens of embedded pages, as `SessionTokens` does for the console.
 */
export type EmbedTokens = {
  sign(holder: EmbedHolder): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the holder of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<EmbedHolder | undefined>
}

export function openEmbedTokens(adminToken: string): EmbedTokens {
  const tokens = openSignedTokens<Omit<EmbedHolder, 'userId'>>(adminToken, 'embed', 'onward-embed')
  return {
    sign: ({ userId, ...claims }) => tokens.sign(userId, claims),
    async verify(token) {
      const claims = await tokens.verify(token)
      if (claims === undefined) return undefined
      const { sub: userId, sessionId, workspaceId, appKey, views } = claims
      return { sessionId, workspaceId, appKey, userId, views }
    },
  }
}

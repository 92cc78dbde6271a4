import type { MemberRole } from '@onward/contract'
import type { Actor } from './guard.ts'
import { openSignedTokens } from './signed-tokens.ts'

/** What an access token says about its holder. The roles are by workspace id. */
export type SessionClaims = {
  /** The id of the person. */
  readonly sub: string
  /** The id of the session. */
  readonly sid: string
  /** The e-mail address of the person. */
  readonly name: string
  readonly kind: 'person' | 'token'
  readonly operator: boolean
  readonly roles: Readonly<Record<string, MemberRole>>
  /** The version of the person's rights when they were read. An access token of the previous version of Onward has none. */
  readonly rights_version?: number
}

/** Signs and verifies access tokens. */
export type SessionTokens = {
  sign(claims: SessionClaims): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the holder of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<Actor | undefined>
}

export function openSessionTokens(adminToken: string): SessionTokens {
  const tokens = openSignedTokens<Omit<SessionClaims, 'sub'>>(adminToken, 'session', 'onward-console')
  return {
    sign: ({ sub, ...claims }) => tokens.sign(sub, claims),
    async verify(token) {
      const claims = await tokens.verify(token)
      if (claims === undefined) return undefined
      const { sub, sid, rights_version: rightsVersion = 0, name, kind, operator, roles } = claims
      return { kind, id: sub, name, sessionId: sid, rightsVersion, operator, roles }
    },
  }
}

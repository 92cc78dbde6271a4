import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { MemberRole } from '@onward/contract'
import { lazy } from '@onward/runtime'
import { jwtVerify, SignJWT } from 'jose'
import type { Actor } from './guard.ts'

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

/** Signs and verifies access tokens. Both services derive the same key from ADMIN_TOKEN, so functions need not ask insights. */
export type SessionTokens = {
  sign(claims: SessionClaims): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the holder of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<Actor | undefined>
}

/**
 * How long an access token is valid, in seconds. The end of a session and the loss of a role take effect after this time at the latest, and
 * for requests that change something within a second. The console renews a token after 30 s, so the clocks of the services may differ by
 * 15 s.
 */
export const ACCESS_SECONDS = 45

const NAME = 'onward-console'
const ALGORITHM = 'HS256'

/**
 * Every member sees a token and could try to guess ADMIN_TOKEN with it, so each guess must be slow. The key is derived at the first token,
 * which takes about 0.1 s. Node's own `maxmem` is too small for this cost.
 */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }

const derive = promisify<string, string, number, typeof COST, Buffer>(scrypt)

/** Returns a function that returns the key for one kind of tokens. Tokens of another kind have another key. */
export function openTokenKey(adminToken: string, kind: string): () => Promise<Buffer> {
  return lazy(() => derive(adminToken, `onward ${kind} tokens`, 32, COST))
}

export function openSessionTokens(adminToken: string): SessionTokens {
  const key = openTokenKey(adminToken, 'session')
  return {
    async sign({ sub, ...claims }) {
      const expiresAt = Math.floor(Date.now() / 1_000) + ACCESS_SECONDS
      const unsigned = new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM }).setSubject(sub).setIssuer(NAME).setAudience(NAME)
      return { token: await unsigned.setExpirationTime(expiresAt).sign(await key()), expiresAt: new Date(expiresAt * 1_000) }
    },
    async verify(token) {
      const options = { issuer: NAME, audience: NAME, algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] }
      const verified = await jwtVerify<SessionClaims>(token, await key(), options).catch(() => undefined)
      if (verified === undefined) return undefined
      const { sub, sid, rights_version: rightsVersion = 0, name, kind, operator, roles } = verified.payload
      return { kind, id: sub, name, sessionId: sid, rightsVersion, operator, roles }
    },
  }
}

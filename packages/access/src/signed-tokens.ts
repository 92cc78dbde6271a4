import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { lazy } from '@onward/runtime'
import { type JWTPayload, jwtVerify, SignJWT } from 'jose'

/** Signs and verifies tokens of one kind. Both services derive the same key from ADMIN_TOKEN, so functions need not ask insights. */
export type SignedTokens<C extends JWTPayload> = {
  sign(sub: string, claims: C): Promise<{ readonly token: string; readonly expiresAt: Date }>
  /** Returns the claims of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<(C & { readonly sub: string }) | undefined>
}

/**
 * How long a token is valid, in seconds. The end of a session and the loss of a role take effect after this time at the latest, and for
 * requests that change something within a second. The console renews a token after 30 s, so the clocks of the services may differ by 15 s.
 */
export const ACCESS_SECONDS = 45

const ALGORITHM = 'HS256'

/**
 * Every member sees a token and could try to guess ADMIN_TOKEN with it, so each guess must be slow. The key is derived at the first token,
 * which takes about 0.1 s. Node's own `maxmem` is too small for this cost.
 */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 }

const derive = promisify<string, string, number, typeof COST, Buffer>(scrypt)

/** Derives a key for one purpose, the same in both services. */
export function deriveKey(adminToken: string, purpose: string): Promise<Buffer> {
  return derive(adminToken, `onward ${purpose}`, 32, COST)
}

/** Opens the tokens of one kind. Each kind has its own key and audience, so no kind accepts the tokens of another. */
export function openSignedTokens<C extends JWTPayload>(adminToken: string, kind: string, audience: string): SignedTokens<C> {
  const key = lazy(() => deriveKey(adminToken, `${kind} tokens`))
  const options = { issuer: audience, audience, algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] }
  return {
    async sign(sub, claims) {
      const expiresAt = Math.floor(Date.now() / 1_000) + ACCESS_SECONDS
      const unsigned = new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM }).setSubject(sub).setIssuer(audience)
      const token = await unsigned
        .setAudience(audience)
        .setExpirationTime(expiresAt)
        .sign(await key())
      return { token, expiresAt: new Date(expiresAt * 1_000) }
    },
    async verify(token) {
      return (await jwtVerify<C & { sub: string }>(token, await key(), options).catch(() => undefined))?.payload
    },
  }
}

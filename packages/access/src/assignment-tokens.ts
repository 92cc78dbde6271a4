import { jwtVerify, SignJWT } from 'jose'
import { ACCESS_SECONDS, openTokenKey } from './session-tokens.ts'

/** An App-Key, and the workspace that owns it in functions. */
export type Assignment = { readonly appKey: string; readonly workspaceId: string }

/**
 * Signs and verifies assignments, with a separate key and audience. Functions signs one for a caller whose workspace owns the App-Key.
 * Insights, which does not know who owns a new App-Key, requires it from members.
 */
export type AssignmentTokens = {
  sign(assignment: Assignment): Promise<string>
  /** Returns the assignment of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<Assignment | undefined>
}

const NAME = 'onward-assignment'
const ALGORITHM = 'HS256'

export function openAssignmentTokens(adminToken: string): AssignmentTokens {
  const key = openTokenKey(adminToken, 'assignment')
  return {
    async sign({ appKey, workspaceId }) {
      const expiresAt = Math.floor(Date.now() / 1_000) + ACCESS_SECONDS
      const unsigned = new SignJWT({ workspaceId })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(appKey)
        .setIssuer(NAME)
        .setAudience(NAME)
      return await unsigned.setExpirationTime(expiresAt).sign(await key())
    },
    async verify(token) {
      const options = { issuer: NAME, audience: NAME, algorithms: [ALGORITHM], requiredClaims: ['exp', 'sub'] }
      const verified = await jwtVerify<{ workspaceId: string; sub: string }>(token, await key(), options).catch(() => undefined)
      if (verified === undefined) return undefined
      const { sub: appKey, workspaceId } = verified.payload
      return { appKey, workspaceId }
    },
  }
}

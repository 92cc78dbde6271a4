import { openSignedTokens } from './signed-tokens.ts'

/** An App-Key, and the workspace that owns it in functions. */
export type Assignment = { readonly appKey: string; readonly workspaceId: string }

/**
 * Signs and verifies assignments. Functions signs one for a caller whose workspace owns the App-Key.
 * Insights, which does not know who owns a new App-Key, requires it from members.
 */
export type AssignmentTokens = {
  sign(assignment: Assignment): Promise<string>
  /** Returns the assignment of a token; undefined if it has expired or was not signed with the key. */
  verify(token: string): Promise<Assignment | undefined>
}

export function openAssignmentTokens(adminToken: string): AssignmentTokens {
  const tokens = openSignedTokens<Pick<Assignment, 'workspaceId'>>(adminToken, 'assignment', 'onward-assignment')
  return {
    sign: async ({ appKey, workspaceId }) => (await tokens.sign(appKey, { workspaceId })).token,
    async verify(token) {
      const claims = await tokens.verify(token)
      return claims && { appKey: claims.sub, workspaceId: claims.workspaceId }
    },
  }
}

import type { Log, RouteGuard } from '@onward/runtime'
import type { QueryExecutorProvider } from 'kysely'
import { type AssignmentTokens, openAssignmentTokens } from './assignment-tokens.ts'
import type { AuditLog } from './audit.ts'
import { openAuditLog } from './audit-log.ts'
import { type EmbedTokens, openEmbedTokens } from './embed-tokens.ts'
import { makeGuard, type WorkspaceOf } from './guard.ts'
import { guarded } from './guarded.ts'
import { openPseudonyms, type PseudonymOf } from './pseudonyms.ts'
import { openSessionTokens, type SessionTokens } from './session-tokens.ts'

/** What a service uses to know who sends a request of the admin API, what they may do, and what they did. */
export type ServiceAccess = {
  /** The guard of the admin API. */
  readonly admin: RouteGuard
  readonly audit: AuditLog
  readonly pseudonymOf: PseudonymOf
  readonly tokens: { readonly session: SessionTokens; readonly embed: EmbedTokens; readonly assignment: AssignmentTokens }
}

type Parts = {
  /** The database with the audit log. */
  readonly db: QueryExecutorProvider
  readonly log: Log
  /** Tokens are signed with keys that are derived from it. */
  readonly adminToken: string
  readonly workspaceOf: WorkspaceOf
}

export function openAccess({ db, log, adminToken, workspaceOf }: Parts): ServiceAccess {
  const audit = openAuditLog(db, log)
  return {
    admin: guarded(makeGuard(workspaceOf), audit),
    audit,
    pseudonymOf: openPseudonyms(adminToken),
    tokens: {
      session: openSessionTokens(adminToken),
      embed: openEmbedTokens(adminToken),
      assignment: openAssignmentTokens(adminToken),
    },
  }
}

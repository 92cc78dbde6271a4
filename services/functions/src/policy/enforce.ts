import type { AppFunction } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import { findWorkspaceOf } from '../db/applications.ts'
import type { ServedApplications } from '../served-applications.ts'
import { openPolicy, type Policy, type Verdict } from './policy.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The parts of the service that enforcing rules needs. */
type PolicyParts = Pick<Context, 'access' | 'applications' | 'db'>

const NO_RULES = openPolicy([])

/** Returns the rules of an application. */
export async function policyOf({ applications }: { readonly applications: ServedApplications }, appKey: string): Promise<Policy> {
  return (applications.held(appKey) ?? (await applications.read(appKey)))?.policy ?? NO_RULES
}

/** Returns what the rules of the caller's application say about a call. Before a call is denied, the database is read. */
export async function verdictOn(
  { applications }: Pick<PolicyParts, 'applications'>,
  { appKey }: Caller,
  fn: AppFunction,
  args: Arguments,
): Promise<Verdict> {
  const held = applications.held(appKey)?.policy.decide(fn, args)
  if (held?.result === 'allow') return held
  return ((await applications.read(appKey))?.policy ?? NO_RULES).decide(fn, args)
}

/** Throws `denied_by_policy` for a call that the rules deny, and records it in the audit log. */
export async function requireAllowed(
  parts: PolicyParts,
  caller: Caller,
  fn: AppFunction,
  args: Arguments,
  { requestId, via }: { readonly requestId: string; readonly via: string | null },
): Promise<void> {
  const { result, message } = await verdictOn(parts, caller, fn, args)
  if (result === 'allow') return
  const { appKey, userId } = caller
  const actor = { kind: 'user', id: userId, name: userId, sessionId: null, rightsVersion: null, operator: false, roles: {} } as const
  const target = { app_key: appKey, user_id: userId, function_name: fn.name, ...(via === null ? {} : { via }) }
  const workspaceId = (await findWorkspaceOf(parts.db, appKey)) ?? null
  const entry = { actor, workspaceId, action: 'function.call', target, requestId, address: null, userAgent: null }
  await parts.access.audit.denied(entry, 'denied_by_policy')
  throw new Refusal('denied_by_policy', message ?? `a rule of the application does not allow this call of ${fn.name}`)
}

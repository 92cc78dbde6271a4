import { plainActor } from '@onward/access'
import type { ErrorCode, PolicyRule } from '@onward/contract'
import { Refusal, refuseProblems, type UserKey } from '@onward/runtime'
import type { Context } from '../context.ts'
import { findWorkspaceOf } from '../db/applications.ts'
import { type AskedCall, type Asking, requireApproval } from './approvals.ts'
import { callOriginOf, narrowPolicy, openPolicy, type Policy, type Verdict } from './policy.ts'
import { refuseSuspended } from './suspensions.ts'

/** The parts of the service that enforcing rules needs. */
type PolicyParts = Pick<Context, 'access' | 'applications' | 'db' | 'sealer'>

const NO_RULES = openPolicy([])

/** Returns the rules of an application. */
export async function policyOf({ applications }: Pick<PolicyParts, 'applications'>, appKey: string): Promise<Policy> {
  return (applications.held(appKey) ?? (await applications.read(appKey)))?.policy ?? NO_RULES
}

/** A call, and the rules of the token that it is made with. */
type Ruled = Pick<AskedCall, 'fn' | 'args' | 'via'> & { readonly rules: readonly PolicyRule[] }

/** Returns the arguments of a call with those that rules lock. Throws `invalid_parameters` if the caller has sent one of them. */
export async function lockArguments(
  parts: Pick<PolicyParts, 'applications'>,
  { appKey }: UserKey,
  { fn, args, via, rules }: Ruled,
): Promise<Record<string, unknown>> {
  const locked = narrowPolicy(await policyOf(parts, appKey), rules).locked(fn, callOriginOf(via))
  const sent = Object.keys(locked).filter((name) => Object.hasOwn(args, name))
  refuseProblems(sent.map((name) => `${name}: is set by a rule; leave it out`))
  return { ...args, ...locked }
}

/** Returns what the rules of the caller's application and of the token say about a call. Before a call is not allowed, the database is read. */
export async function verdictOn(
  { applications }: Pick<PolicyParts, 'applications'>,
  { appKey }: UserKey,
  { fn, args, via, rules }: Ruled,
): Promise<Verdict> {
  const decide = (policy: Policy) => narrowPolicy(policy, rules).decide(fn, args, callOriginOf(via))
  const held = applications.held(appKey)
  const verdict = held && decide(held.policy)
  return verdict?.result === 'allow' ? verdict : decide((await applications.read(appKey))?.policy ?? NO_RULES)
}

/**
 * Returns the approval with which a call can be made; null if it needs none. Throws `suspended` as `refuseSuspended` does, and
 * `denied_by_policy` for a call that the rules deny. For
 * a call that they ask about, throws as `requireApproval` does. The audit log has each denied call, and each call that asks.
 */
export async function requireAllowed(
  parts: PolicyParts,
  caller: UserKey,
  call: AskedCall & Ruled,
  { requestId, ...asking }: Omit<Asking, 'requested'> & { readonly requestId: string },
): Promise<string | null> {
  const { fn, via } = call
  await refuseSuspended(parts.applications, caller, fn)
  const { result, message } = await verdictOn(parts, caller, call)
  if (result === 'allow') return null

  async function recordRefusal(code: ErrorCode, more: Readonly<Record<string, string>> = {}): Promise<void> {
    const { appKey, userId } = caller
    const target = { app_key: appKey, user_id: userId, function_name: fn.name, ...(via === null ? {} : { via }), ...more }
    const workspaceId = (await findWorkspaceOf(parts.db, appKey)) ?? null
    const entry = {
      actor: plainActor('user', userId, userId),
      workspaceId,
      action: 'function.call',
      target,
      requestId,
      address: null,
      userAgent: null,
    }
    await parts.access.audit.denied(entry, code)
  }

  if (result === 'ask') {
    const requested = (id: string) => recordRefusal('approval_required', { approval_id: id })
    return await requireApproval(parts, caller, call, message, { ...asking, requested })
  }
  await recordRefusal('denied_by_policy')
  throw new Refusal('denied_by_policy', message ?? `a rule of the application does not allow this call of ${fn.name}`)
}

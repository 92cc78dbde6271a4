import { plainActor } from '@onward/access'
import { Refusal } from '@onward/runtime'
import type { Say } from '@onward/texts'
import { backgroundOf } from '../approval/background.ts'
import { recordUserChange } from '../connect/audit.ts'
import { shownApp } from '../connect/icon.ts'
import { inLook, type Reply } from '../connect/pages/page.ts'
import { cannotContinue, PageProblem } from '../connect/pages/problem.ts'
import type { PageVisit } from '../connect/visit.ts'
import type { Application } from '../db/applications.ts'
import { type Approval, findApproval } from '../db/approvals.ts'
import type { Authorization } from '../db/mcp-authorizations.ts'
import { decide, presentApproval } from '../policy/approvals.ts'
import { readDigests } from '../served-applications.ts'
import { decidedBefore, type FormFields, findOpen, formTo } from './open-authorization.ts'
import { approvalPage, decidedPage, refusalPage } from './pages/approval-page.ts'
import type { SignInParts } from './parts.ts'

/** Returns the page on which the user decides, or the page that says what was decided. */
export async function approvalReply(
  parts: SignInParts,
  visit: PageVisit,
  token: unknown,
  authorization: Authorization & { readonly userId: string },
  application: Application,
): Promise<Reply> {
  const approval = await approvalOf(parts, authorization)
  const shown = presentApproval(parts.sealer, parts.catalog.current.functions, approval)
  if (approval.state !== 'pending') return inLook(decidedPage(shown), application)
  const page = approvalPage({
    ...formTo(visit, 'approvals', token),
    approval: shown,
    app: await shownApp(parts, approval.app),
    description: parts.catalog.current.functions.get(approval.functionName)?.fn.description.split(/(?<=[.!?])\s/)[0],
    caller: callerOf(approval),
    program: programOf(approval),
    application: application.name,
    background: await backgroundOf(parts, approval),
  })
  return inLook(page, application)
}

/** Stores what the user decided. The first refusal without the field of the reason asks for one. */
export async function submitApproval(parts: SignInParts, visit: PageVisit, body: FormFields): Promise<Reply> {
  const { authorization, application } = await findOpen(parts, visit, body._session)
  const { userId } = authorization
  if (userId === null || authorization.approvalId === null) throw cannotContinue()
  const approval = await approvalOf(parts, { ...authorization, userId })
  const { appKey, functionName } = approval
  if (body.decision === 'back') return await approvalReply(parts, visit, body._session, { ...authorization, userId }, application)
  if (body.decision !== 'approve' && body.reason === undefined && approval.state === 'pending') {
    const shown = presentApproval(parts.sealer, parts.catalog.current.functions, approval)
    return inLook(refusalPage({ ...formTo(visit, 'approvals', body._session), approval: shown }), application)
  }
  const given = typeof body.reason === 'string' ? body.reason.trim().slice(0, MAX_REASON) : ''
  const reason = given === '' ? null : given
  const result = body.decision === 'approve' ? 'approved' : 'refused'
  const { personId } = authorization.maker
  if (result === 'approved') await requireMaker(parts, authorization, functionName)
  const actor = personId === null ? undefined : plainActor('person', personId, personId)
  const target = { id: approval.id, function_name: functionName }
  const change = { action: 'approval.decide', target, after: { result, reason }, actor }
  const decided = await recordUserChange(parts, visit, { appKey, userId }, change, () =>
    decide(parts, approval, { result, reason, decidedBy: personId === null ? 'user' : 'member' }),
  ).catch((err: unknown) => {
    throw err instanceof Refusal && err.code === 'already_decided' ? decidedBefore() : err
  })
  return inLook(decidedPage(presentApproval(parts.sealer, parts.catalog.current.functions, decided)), application)
}

const MAX_REASON = 500

/**
 * Refuses the approval of a browser whose sign-in link was made with a secret that is no longer valid. Who made the link could open it, too: a
 * developer may not approve destructive functions.
 */
async function requireMaker(parts: SignInParts, { appKey, maker }: Authorization, functionName: string): Promise<void> {
  const { secretDigest, personRole } = maker
  if (secretDigest !== null && !(await readDigests(parts, appKey)).some((valid) => valid.equals(secretDigest))) {
    throw new PageProblem(
      403,
      (t) => t.problems.signInEnded,
      (t) => t.problems.signInAgain,
    )
  }
  const fn = parts.catalog.current.functions.get(functionName)?.fn
  if (personRole === 'developer' && fn?.destructive !== false) {
    throw new PageProblem(
      403,
      (t) => t.problems.mayNotApprove,
      (t) => t.problems.mayNotApproveAdvice,
    )
  }
}

/** Returns the approval of a visit. Its user has to be the one who has signed in. */
async function approvalOf({ db }: SignInParts, { approvalId, userId }: Authorization & { readonly userId: string }): Promise<Approval> {
  const approval = approvalId === null ? undefined : await findApproval(db, {}, approvalId)
  if (approval === undefined) throw approvalEnded()
  if (approval.userId !== userId) {
    throw new PageProblem(
      403,
      (t) => t.problems.notYours,
      (t) => t.problems.notYoursAdvice,
    )
  }
  return approval
}

/** Returns what the program that made the call calls itself; null if it has not said, or if none did. */
export function programOf({ via }: Approval): string | null {
  return via?.split(':')[1] ?? null
}

/** Returns who made a call without a token; null for the application. */
function callerOf(approval: Approval): Say | null {
  const program = programOf(approval)
  if (program !== null) return () => program
  return approval.via === null ? null : (t) => (approval.via === 'console' ? t.approval.console : t.approval.agent)
}

export function approvalEnded(): PageProblem {
  return new PageProblem(
    410,
    (t) => t.problems.approvalExpired,
    (t) => t.problems.approvalExpiredAdvice,
  )
}

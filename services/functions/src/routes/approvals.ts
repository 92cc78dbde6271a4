import { type Actor, requireOwner } from '@onward/access'
import { type Body, decideApproval, getApproval, listApprovals } from '@onward/contract'
import { cutPage, isUuid, Refusal } from '@onward/runtime'
import { backgroundOf } from '../approval/background.ts'
import type { Context } from '../context.ts'
import { type Approval, type ApprovalFilter, findApproval, listApprovalsOf } from '../db/approvals.ts'
import { decide, presentApproval } from '../policy/approvals.ts'
import { readCallIdCursor } from './calls.ts'
import { route } from './route.ts'

export const listApprovalsRoute = route(listApprovals, async (ctx, { caller, query, body }) => {
  return await approvalsOf(ctx, { ...caller, state: body.state }, body._cursor || query._cursor, body.page_size)
})

/** Returns a page of the approvals that a filter finds. */
export async function approvalsOf(
  { db, sealer, catalog }: Context,
  filter: ApprovalFilter,
  cursor: string | null | undefined,
  pageSize: number,
) {
  const rows = await listApprovalsOf(db, filter, readCallIdCursor(cursor), pageSize + 1)
  const { page, _cursor } = cutPage(rows, pageSize, ({ id }) => [id])
  return { approvals: page.map((approval) => presentApproval(sealer, catalog.current.functions, approval)), _cursor }
}

export const getApprovalRoute = route(getApproval, async (ctx, { caller, params }) => {
  const found = await requireFound(ctx, caller, params.id)
  return { ...presentApproval(ctx.sealer, ctx.catalog.current.functions, found), ...(await backgroundOf(ctx, found)) }
})

/** Returns the approval that a filter finds. Throws `approval_not_found`. */
export async function requireFound({ db }: Context, filter: ApprovalFilter, id: string): Promise<Approval> {
  const found = isUuid(id) ? await findApproval(db, filter, id) : undefined
  if (found === undefined) throw new Refusal('approval_not_found', 'there is no such approval; it may have expired')
  return found
}

export const decideApprovalRoute = route(decideApproval, async (ctx, { caller, actor, workspaceId, params, body }) => {
  return await decideAs(ctx, caller, params.id, body, actor, workspaceId)
})

/** Stores the decision of the application or, with an actor, of a member of its workspace. Returns the approval. */
export async function decideAs(
  ctx: Context,
  filter: ApprovalFilter,
  id: string,
  { result, reason }: Body<typeof decideApproval>,
  actor: Actor | undefined,
  workspaceId: string | null,
) {
  const { functions } = ctx.catalog.current
  const found = await requireFound(ctx, filter, id)
  if (result === 'approved' && functions.get(found.functionName)?.fn.destructive !== false) {
    requireOwner(actor, workspaceId, 'approving a destructive function')
  }
  const decided = await decide(ctx, found, { result, reason: reason ?? null, decidedBy: actor === undefined ? 'application' : 'member' })
  return presentApproval(ctx.sealer, functions, decided)
}

import { type Body, previewLimits } from '@onward/contract'
import { listApplications } from '../../db/applications.ts'
import { MAX_USERS, type NewLimits } from '../../db/limit-preview.ts'
import type { Db } from '../../db/tables.ts'
import { previewChange } from '../../usage/preview-limits.ts'
import { adminRoute, invalidParameters, requireApplication, requireWorkspace } from '../route.ts'
import { problemsOf } from '../set-limits.ts'

export const previewLimitsRoute = adminRoute(previewLimits, async (ctx, { params, body }) => {
  const workspace = await requireWorkspace(ctx.db, params.workspace_id)
  const newLimits = await newLimitsOf(ctx.db, workspace.id, body)
  const { users, newUsers, changed, reached, deliveries, current, now } = await previewChange(ctx.slowDb, workspace, newLimits)
  return {
    as_of: now.toISOString(),
    users,
    new_users: newUsers,
    changed,
    unchanged: users - newUsers - changed,
    over_now: reached,
    notices: deliveries,
    capped: users === MAX_USERS,
    current: current.map(({ isNew, limit }) => ({ is_new: isNew, limit })),
  }
})

async function newLimitsOf(db: Db, workspaceId: string, body: Body<typeof previewLimits>): Promise<NewLimits> {
  const { app_key: appKey, tasks_limit: limit, users } = body
  if ((limit === undefined) === (users === undefined)) throw invalidParameters('body: must have either tasks_limit or users')
  if (appKey !== undefined) await requireApplication(db, { workspaceId }, appKey)
  if (limit !== undefined) {
    const appKeys = appKey === undefined ? (await listApplications(db, workspaceId)).map((each) => each.appKey) : [appKey]
    return { appKeys, limit }
  }
  if (appKey === undefined) throw invalidParameters('app_key: is required')
  const problems = problemsOf(users ?? [], 'users')
  if (problems.length > 0) throw invalidParameters(...problems)
  return { appKey, byUser: new Map(users?.map((item) => [item.user_id, item.allowed_tasks])) }
}

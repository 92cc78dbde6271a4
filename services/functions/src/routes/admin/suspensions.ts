import { noApplication } from '@onward/access'
import { listSuspensions, putSuspension } from '@onward/contract'
import { isStorable, Refusal, refuseProblems } from '@onward/runtime'
import { findApplication, selectApplications } from '../../db/applications.ts'
import { endSuspension, lockSuspension, readSuspensions, storeSuspension } from '../../db/suspensions.ts'
import { route } from '../route.ts'

export const putSuspensionRoute = route(putSuspension, async (ctx, { body, actor, noteChange }) => {
  const { workspace_id: workspaceId, app_key: appKey, user_id: userId, state, reason } = body
  refuseProblems([
    ...(userId !== undefined && appKey === undefined ? ['app_key: is required with user_id'] : []),
    ...(state === 'active' || reason !== undefined ? [] : [`reason: is required with ${state}`]),
    ...[userId, reason].flatMap((text) => (text === undefined || isStorable(text) ? [] : ['user_id, reason: must not contain NUL'])),
  ])
  if (appKey !== undefined && (await findApplication(ctx.db, appKey))?.workspaceId !== workspaceId) throw noApplication()
  if (state !== 'active' && (await selectApplications(ctx.db, workspaceId)).length === 0) {
    throw new Refusal('workspace_not_found', `there is no application of a workspace ${workspaceId}`)
  }
  const of = { workspaceId, appKey, userId }
  const before = await ctx.db.transaction().execute(async (tx) => {
    const stored = await lockSuspension(tx, of)
    if (stored?.by_operator && actor?.operator !== true) {
      throw new Refusal('role_required', 'an operator has suspended this; only operators can change it')
    }
    if (state === 'active') await endSuspension(tx, of)
    else await storeSuspension(tx, of, { state, reason: reason ?? '', by_operator: actor?.operator === true })
    return stored
  })
  if (appKey !== undefined) ctx.applications.drop(appKey)
  noteChange({ state: before?.state ?? 'active', reason: before?.reason ?? null }, { state, reason: reason ?? null })
  return { previous_state: before?.state ?? ('active' as const), suspensions: await readSuspensions(ctx.db, workspaceId, appKey) }
})

export const listSuspensionsRoute = route(listSuspensions, async ({ db }, { query }) => {
  return { suspensions: await readSuspensions(db, query.workspace_id) }
})

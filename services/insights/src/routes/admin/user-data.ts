import { changeUserRows, readUserKey, readUserRows } from '@onward/access'
import { deleteUser, exportUser } from '@onward/contract'
import { scansOf, USER_TABLES } from '../../db/user-rows.ts'
import { deleteUsage } from '../../usage/delete-user.ts'
import { adminRoute, requireAssigned } from '../route.ts'

export const exportUserRoute = adminRoute(exportUser, async ({ db }, { params, query, workspaceId }) => {
  const { appKey } = await requireAssigned(db, workspaceId, params.app_key)
  return await readUserRows(db, USER_TABLES, readUserKey(appKey, query.user_id), query._cursor)
})

export const deleteUserRoute = adminRoute(deleteUser, async (ctx, { params, body, workspaceId, noteChange }) => {
  const { appKey } = await requireAssigned(ctx.db, workspaceId, params.app_key)
  const user = readUserKey(appKey, body.user_id)
  const pseudonym = await ctx.access.pseudonymOf(user)
  const usage = body._cursor == null ? await deleteUsage(ctx.db, user, pseudonym) : {}
  const { changed, _cursor } = await changeUserRows(ctx.db, scansOf(user, pseudonym), user, body._cursor)
  const complete = _cursor === null
  if (complete) await ctx.queues.forgetCompleted()
  const deleted = { pseudonym, changed: { ...usage, ...changed }, not_revoked: 0 }
  noteChange(null, deleted)
  return { ...deleted, waits_for: null, complete, _cursor }
})

import { changeUserRows, readUserKey, readUserRows, renameInAudit } from '@onward/access'
import { deleteUser as deleteUserEndpoint, exportUser } from '@onward/contract'
import { deleteUser } from '../../connect/delete-user.ts'
import { requireApplication } from '../../db/applications.ts'
import { USER_TABLES } from '../../db/user-rows.ts'
import { route } from '../route.ts'

export const exportUserRoute = route(exportUser, async ({ db }, { params, query }) => {
  await requireApplication(db, params.app_key)
  return await readUserRows(db, USER_TABLES, readUserKey(params.app_key, query.user_id), query._cursor)
})

export const deleteUserRoute = route(deleteUserEndpoint, async (ctx, { params, body, noteChange }) => {
  await requireApplication(ctx.db, params.app_key)
  const user = readUserKey(params.app_key, body.user_id)
  const pseudonym = await ctx.access.pseudonymOf(user)
  const { changed, notRevoked, waitsFor, done } = await deleteUser(ctx, user, pseudonym)
  const audit = done
    ? await changeUserRows(ctx.db, { audit_entry: renameInAudit(user, pseudonym) }, user, body._cursor)
    : { changed: {}, _cursor: null }
  const complete = done && audit._cursor === null
  if (complete) await ctx.queues.forgetCompleted()
  const deleted = { pseudonym, changed: { ...changed, ...audit.changed }, not_revoked: notRevoked }
  noteChange(null, deleted)
  return { ...deleted, waits_for: waitsFor, complete, _cursor: audit._cursor }
})

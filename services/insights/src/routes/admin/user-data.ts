import { readUserKey, readUserRows } from '@onward/access'
import { exportUser } from '@onward/contract'
import { USER_TABLES } from '../../db/user-rows.ts'
import { adminRoute, requireAssigned } from '../route.ts'

export const exportUserRoute = adminRoute(exportUser, async ({ db }, { params, query, workspaceId }) => {
  const { appKey } = await requireAssigned(db, workspaceId, params.app_key)
  return await readUserRows(db, USER_TABLES, readUserKey(appKey, query.user_id), query._cursor)
})

import { readUserKey, readUserRows } from '@onward/access'
import { exportUser } from '@onward/contract'
import { requireApplication } from '../../db/applications.ts'
import { USER_TABLES } from '../../db/user-rows.ts'
import { route } from '../route.ts'

export const exportUserRoute = route(exportUser, async ({ db }, { params, query }) => {
  await requireApplication(db, params.app_key)
  return await readUserRows(db, USER_TABLES, readUserKey(params.app_key, query.user_id), query._cursor)
})

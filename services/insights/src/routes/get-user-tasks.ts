import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { readUsage } from '../db/periods.ts'
import { taskStatus } from '../usage/status.ts'
import { isStorable } from '../usage/storable.ts'
import { usageOf } from '../usage/usage-of.ts'
import { requireApplication } from './require-application.ts'
import { route } from './route.ts'

export const getUserTasks = route(endpoints.getUserTasks, async (ctx, { params, query, caller }) => {
  if (!isStorable(params.id)) throw new Refusal('invalid_user_id', 'the user id is not valid', ['id: must not hold NUL'])
  const application = await requireApplication(ctx.db, caller, query.app_key)
  const usage = await readUsage(ctx.db, { appKey: application.appKey, userId: params.id })
  if (usage === undefined) throw new Refusal('user_not_found', 'there is no such user')
  return taskStatus(usageOf(usage, application), usage.now)
})

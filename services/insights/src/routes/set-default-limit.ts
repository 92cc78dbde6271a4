import * as endpoints from '@onward/contract'
import * as partners from '../db/partners.ts'
import { route } from './route.ts'

export const setDefaultLimit = route(endpoints.setDefaultLimit, async (ctx, { body, caller }) => {
  await partners.setDefaultLimit(ctx.db, caller.partnerId, body.tasks_limit)
  return { success: 'true' } as const
})

import * as endpoints from '@onward/contract'
import { setBulkLimit } from '../db/partners.ts'
import { insertReevaluation } from '../db/reevaluations.ts'
import { route } from './route.ts'

/** Holds at once for every user; the notices of levels that it takes users past follow in the background. */
export const setAllLimits = route(endpoints.setAllLimits, async (ctx, { body, caller }) => {
  await ctx.db.transaction().execute(async (tx) => {
    await setBulkLimit(tx, caller.partnerId, body.tasks_limit)
    await insertReevaluation(tx, caller.partnerId)
  })
  return { success: 'true' } as const
})

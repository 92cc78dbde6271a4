import * as endpoints from '@onward/contract'
import { setBulkLimit } from '../db/partners.ts'
import { addChange } from '../usage/add-change.ts'
import { route } from './route.ts'

/** Holds at once for every user; the notices of levels that it takes users past follow in the background. */
export const setAllLimits = route(endpoints.setAllLimits, async (ctx, { body, caller }) => {
  await ctx.db.transaction().execute(async (tx) => {
    const limitSeq = await setBulkLimit(tx, caller.partnerId, body.tasks_limit)
    await addChange(tx, caller.partnerId, { limit: body.tasks_limit, limitSeq })
  })
  return { success: 'true' } as const
})

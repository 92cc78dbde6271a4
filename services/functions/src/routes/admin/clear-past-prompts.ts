import { clearPastPrompts } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { forgetPast } from '../../db/forget-past.ts'
import { route } from '../route.ts'

export const clearPastPromptsRoute = route(clearPastPrompts, async (ctx, { params }) => {
  const known = await ctx.db.transaction().execute((tx) => forgetPast(tx, params.app_key))
  if (!known) throw new Refusal('application_not_found', 'there is no such application')
  return { success: true as const }
})

import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { deleteQuarantine } from '../../db/quarantine.ts'
import { adminRoute } from './admin-route.ts'

export const dropQuarantined = adminRoute(endpoints.dropQuarantined, async (ctx, { params: { id } }) => {
  const known = /^[1-9]\d{0,14}$/.test(id) && (await deleteQuarantine(ctx.db, [Number(id)])) > 0
  if (!known) throw new Refusal('not_found', 'there is nothing of this id in quarantine')
  return { success: true as const }
})

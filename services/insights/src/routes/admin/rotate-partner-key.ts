import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { digestOfKey } from '../../auth.ts'
import { expirePartnerKeys, insertPartnerKey } from '../../db/partner-keys.ts'
import { lockPartner } from '../../db/partners.ts'
import { isStorable } from '../../usage/storable.ts'
import { adminRoute } from './admin-route.ts'
import { newPartnerKey } from './new-key.ts'

export const rotatePartnerKey = adminRoute(endpoints.rotatePartnerKey, async (ctx, { params: { workspace_id: id }, body }) => {
  const key = newPartnerKey()
  const until = await ctx.db.transaction().execute(async (tx) => {
    if (!isStorable(id) || (await lockPartner(tx, id)) === undefined) throw new Refusal('workspace_not_found', 'there is no such workspace')
    const ends = await expirePartnerKeys(tx, id, body.keep_previous_hours)
    await insertPartnerKey(tx, id, digestOfKey(key))
    return ends
  })
  return { workspace_id: id, partner_api_key: key, previous_valid_until: until.toISOString() }
})

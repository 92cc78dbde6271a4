import * as endpoints from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { digestOfKey } from '../../auth.ts'
import { insertPartnerKey } from '../../db/partner-keys.ts'
import { insertPartner, renamePartner } from '../../db/partners.ts'
import { isStorable } from '../../usage/storable.ts'
import { adminRoute } from './admin-route.ts'
import { newPartnerKey } from './new-key.ts'

const WORKSPACE_ID = new RegExp(endpoints.putInsightsApplication.body.properties.workspace_id.pattern)

export const putWorkspace = adminRoute(endpoints.putWorkspace, async (ctx, { params: { workspace_id: id }, body: { name } }) => {
  if (!WORKSPACE_ID.test(id)) throw invalid(`workspace_id: must match ${WORKSPACE_ID.source}`)
  if (!isStorable(name)) throw invalid('name: must not hold NUL or half of a surrogate pair')
  return await ctx.db.transaction().execute(async (tx) => {
    if (!(await insertPartner(tx, id, name))) {
      await renamePartner(tx, id, name)
      return { workspace_id: id, name, created: false }
    }
    const key = newPartnerKey()
    await insertPartnerKey(tx, id, digestOfKey(key))
    return { workspace_id: id, name, created: true, partner_api_key: key }
  })
})

function invalid(problem: string): Refusal {
  return new Refusal('invalid_parameters', 'the parameters are not valid', [problem])
}

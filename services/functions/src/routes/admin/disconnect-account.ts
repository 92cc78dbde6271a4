import { disconnectAccount } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { deleteAccount } from '../../db/connected-accounts.ts'
import { route } from '../route.ts'

export const disconnectAccountRoute = route(disconnectAccount, async (ctx, { params }) => {
  const gone = /^[1-9]\d{0,14}$/.test(params.id) && (await deleteAccount(ctx.db, params.app_key, Number(params.id)))
  if (!gone) throw new Refusal('connected_account_not_found', 'there is no such connected account')
  return { success: true as const }
})

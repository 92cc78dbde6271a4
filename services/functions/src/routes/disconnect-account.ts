import { disconnectOwnAccount } from '@onward/contract'
import { disconnect } from '../connect/disconnect.ts'
import { route } from './route.ts'

export const disconnectOwnAccountRoute = route(disconnectOwnAccount, async (ctx, { caller, params, query }) => {
  await disconnect(ctx, caller, params.id, query.force === true)
  return { success: true as const }
})

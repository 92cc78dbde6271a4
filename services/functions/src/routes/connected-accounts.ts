import { confirmOwnAccount, disconnectOwnAccount } from '@onward/contract'
import { presentAccount } from '../catalog/present.ts'
import { confirm } from '../connect/confirm.ts'
import { disconnect } from '../connect/disconnect.ts'
import { route } from './route.ts'

export const disconnectOwnAccountRoute = route(disconnectOwnAccount, async (ctx, { caller, params, query }) => {
  await disconnect(ctx, caller, params.id, query.force === true)
  return { success: true as const }
})

export const confirmOwnAccountRoute = route(confirmOwnAccount, async (ctx, { caller, params, body }) =>
  presentAccount(await confirm(ctx, caller, params.id, body.confirmation)),
)

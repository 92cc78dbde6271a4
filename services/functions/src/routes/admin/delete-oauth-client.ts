import { deleteOAuthClient } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import * as clients from '../../db/oauth-clients.ts'
import { route } from '../route.ts'

export const deleteOAuthClientRoute = route(deleteOAuthClient, async (ctx, { params }) => {
  const gone = await clients.deleteOAuthClient(ctx.db, params.app_key, params.app)
  if (!gone) throw new Refusal('oauth_client_not_found', 'there is no such OAuth client')
  return { success: true as const }
})

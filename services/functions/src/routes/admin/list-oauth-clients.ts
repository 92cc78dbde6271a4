import { listOAuthClients } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { applicationExists } from '../../db/applications.ts'
import { selectOAuthClients } from '../../db/oauth-clients.ts'
import { route } from '../route.ts'
import { presentOAuthClient } from './present-oauth-client.ts'

export const listOAuthClientsRoute = route(listOAuthClients, async (ctx, { params }) => {
  if (!(await applicationExists(ctx.db, params.app_key))) throw new Refusal('application_not_found', 'there is no such application')
  return { oauth_clients: (await selectOAuthClients(ctx.db, params.app_key)).map(presentOAuthClient) }
})

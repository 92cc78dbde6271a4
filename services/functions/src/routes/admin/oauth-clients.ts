import { deleteOAuthClient, listOAuthClients, putOAuthClient } from '@onward/contract'
import { Refusal, refuseChanged } from '@onward/runtime'
import { lockApplication, requireApplication } from '../../db/applications.ts'
import * as clients from '../../db/oauth-clients.ts'
import { route } from '../route.ts'

export const putOAuthClientRoute = route(putOAuthClient, async (ctx, { params, body }) => {
  const { app_key: appKey, app: name } = params
  await requireApplication(ctx.db, appKey)
  const app = ctx.catalog.current.functions.app(name)
  if (app === undefined) throw new Refusal('app_not_found', 'there is no such app')
  if (!app.schemes.some(({ type }) => type === 'oauth2')) {
    throw new Refusal('invalid_parameters', `${app.title} takes no OAuth client`, ['app: users do not sign in at this app by OAuth'])
  }
  const sealedClientSecret = ctx.sealer.seal(body.client_secret, clients.oauthClientRow(appKey, name))
  const client = { appKey, app: name, clientId: body.client_id, sealedClientSecret, scopes: body.scopes }
  return await ctx.db.transaction().execute(async (tx) => {
    await lockApplication(tx, appKey)
    const stored = await clients.findOAuthClient(tx, appKey, name)
    refuseChanged(body.if_unchanged, { client_id: stored?.clientId ?? null, scopes: stored?.scopes ?? null })
    return present(await clients.putOAuthClient(tx, client))
  })
})

export const listOAuthClientsRoute = route(listOAuthClients, async (ctx, { params }) => {
  await requireApplication(ctx.db, params.app_key)
  return { oauth_clients: (await clients.selectOAuthClients(ctx.db, params.app_key)).map(present) }
})

export const deleteOAuthClientRoute = route(deleteOAuthClient, async (ctx, { params }) => {
  const deleted = await clients.deleteOAuthClient(ctx.db, params.app_key, params.app)
  if (!deleted) throw new Refusal('oauth_client_not_found', 'there is no such OAuth client')
  return { success: true as const }
})

/** The wire form omits the client secret. */
function present({ app, clientId, scopes, modifiedAt }: clients.StoredClient) {
  return { app, client_id: clientId, scopes: scopes && [...scopes], modified_at: modifiedAt.toISOString() }
}

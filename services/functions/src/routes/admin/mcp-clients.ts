import { createMcpClient, deleteMcpClient, listMcpClients } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { requireApplication } from '../../db/applications.ts'
import { deleteOwnClient, type OwnClient, selectOwnClients } from '../../db/mcp-clients.ts'
import { deleteGrantsOf } from '../../db/mcp-tokens.ts'
import { makeOwnClient } from '../../sign-in/clients.ts'
import { route } from '../route.ts'

export const createMcpClientRoute = route(createMcpClient, async (ctx, { params: { app_key: appKey }, body }) => {
  await requireApplication(ctx.db, appKey)
  const { name, redirect_uris: redirectUris, auth_method: authMethod } = body
  const { secret, ...client } = await makeOwnClient(ctx.db, appKey, { name, redirectUris, authMethod })
  return { ...present(client), client_secret: secret ?? null }
})

export const listMcpClientsRoute = route(listMcpClients, async (ctx, { params: { app_key: appKey } }) => {
  await requireApplication(ctx.db, appKey)
  return { mcp_clients: (await selectOwnClients(ctx.db, appKey)).map(present) }
})

export const deleteMcpClientRoute = route(deleteMcpClient, async (ctx, { params: { app_key: appKey, client_id: id } }) => {
  await requireApplication(ctx.db, appKey)
  if (!(await deleteOwnClient(ctx.db, appKey, id))) throw new Refusal('mcp_client_not_found', 'the application has no such MCP client')
  await deleteGrantsOf(ctx.db, appKey, id)
  return { success: true as const }
})

function present({ id, name, redirectUris, authMethod, createdAt }: OwnClient) {
  return { client_id: id, name, redirect_uris: [...redirectUris], auth_method: authMethod, created_at: createdAt.toISOString() }
}

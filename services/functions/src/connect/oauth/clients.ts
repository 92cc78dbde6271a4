import type { Context } from '../../context.ts'
import { findOAuthClient, oauthClientRow } from '../../db/oauth-clients.ts'
import type { OAuthClient } from './client.ts'

/** The OAuth client that an application registered with an app; null when it has none. */
export async function openOAuthClient(ctx: Context, appKey: string, app: string): Promise<OAuthClient | null> {
  const found = await findOAuthClient(ctx.db, appKey, app)
  if (found === undefined) return null
  return { clientId: found.clientId, clientSecret: ctx.sealer.open(found.sealedClientSecret, oauthClientRow(appKey, app)) }
}

import type { App, Scheme } from '@onward/catalog'
import type { Context } from '../context.ts'
import { findOAuthClient } from '../db/oauth-clients.ts'

/** The schemes by which a user can connect: signing in at the app needs an OAuth client of the application's own. */
export async function offeredSchemes(ctx: Context, appKey: string, app: App): Promise<Scheme[]> {
  const hasClient = app.schemes.some(({ type }) => type === 'oauth2') && (await findOAuthClient(ctx.db, appKey, app.name)) !== undefined
  return app.schemes.filter(({ type }) => type !== 'oauth2' || hasClient)
}

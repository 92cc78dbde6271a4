import type { App, Scheme } from '@onward/catalog'
import type { Context } from '../context.ts'
import { findOAuthClient } from '../db/oauth-clients.ts'

/**
 * The schemes by which a user can connect, the easiest first: signing in, which needs an OAuth client of the application's own. Service
 * accounts, which administrators make, come last.
 */
export async function offeredSchemes(ctx: Context, appKey: string, app: App): Promise<Scheme[]> {
  const hasClient = app.schemes.some(({ type }) => type === 'oauth2') && (await findOAuthClient(ctx.db, appKey, app.name)) !== undefined
  return app.schemes.filter(({ type }) => type !== 'oauth2' || hasClient).sort((a, b) => rank(a) - rank(b))
}

function rank({ type }: Scheme): number {
  if (type === 'oauth2') return 0
  return type === 'oauth2_jwt_bearer' ? 2 : 1
}

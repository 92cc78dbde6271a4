import type { App, Credentials, Scheme } from '@onward/catalog'
import type { Context } from '../context.ts'
import { type Identified, identify } from './identify.ts'
import { OAuthError } from './oauth/oauth-error.ts'
import { requestToken } from './oauth/request-token.ts'

/** What was found of some credentials, and the credentials with a first access token where the scheme has one. */
export type Tested =
  | Exclude<Identified, { kind: 'known' }>
  | (Extract<Identified, { kind: 'known' }> & { readonly credentials: Credentials })

/** Tests what a person typed as a call would use it. */
export async function testCredentials(ctx: Context, app: App, scheme: Scheme, typed: Credentials): Promise<Tested> {
  const minted = await withToken(ctx, app, scheme, typed)
  if ('kind' in minted) return minted
  const identified = await identify(ctx, app, minted.credentials)
  return identified.kind === 'known' ? { ...identified, ...minted } : identified
}

async function withToken(
  ctx: Context,
  { title }: App,
  scheme: Scheme,
  typed: Credentials,
): Promise<{ credentials: Credentials } | Exclude<Identified, { kind: 'known' }>> {
  if (scheme.type !== 'oauth2_client_credentials' && scheme.type !== 'oauth2_jwt_bearer') return { credentials: typed }
  try {
    return { credentials: await requestToken(ctx.oauth, scheme, null, typed) }
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    const refused = `${title} did not accept these credentials: ${err.message}`
    return err.kind === 'unreachable' ? { kind: 'unavailable', problem: err.message } : { kind: 'refused', problem: refused }
  }
}

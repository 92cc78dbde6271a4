import { type App, type Credentials, schemeOf } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Context } from '../../context.ts'
import { OAuthError } from '../oauth/oauth-error.ts'
import { requestToken } from '../oauth/request-token.ts'

/**
 * The credentials of a new account with its first access token, where it is got with what the user gave: so wrong secrets are told at
 * once. Throws a Refusal: `invalid_parameters` for secrets that are refused, `upstream_unreachable` when they can't be tried.
 */
export async function withFirstToken(ctx: Context, app: App, credentials: Credentials): Promise<Credentials> {
  const scheme = schemeOf(app, credentials)
  if (scheme?.type !== 'oauth2_client_credentials' && scheme?.type !== 'oauth2_jwt_bearer') return credentials
  try {
    return await requestToken(ctx.oauth, scheme, null, credentials)
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    const problem = `${app.title} gave no access token: ${err.message}`
    if (err.kind === 'unreachable') throw new Refusal('upstream_unreachable', problem)
    throw new Refusal('invalid_parameters', 'the credentials are not valid', [`credentials: ${problem}`])
  }
}

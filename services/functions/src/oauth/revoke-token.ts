import { type AuthorizationCodeScheme, type Credentials, fillAccountUrl } from '@onward/catalog'
import { processRevocationResponse, revocationRequest } from 'oauth4webapi'
import { clientAuth, type OAuthClient } from './client.ts'
import { OAuthError, oauthFailure } from './errors.ts'
import { issuerOf } from './exchange.ts'
import { sendOptions, type TokenSender } from './send.ts'

/** Revokes an account's grant at the provider (RFC 7009). Does nothing when the scheme has no revocation URL. Throws an OAuthError. */
export async function revokeToken(
  sender: TokenSender,
  scheme: AuthorizationCodeScheme,
  client: OAuthClient,
  credentials: Credentials,
): Promise<void> {
  const { refresh_token, access_token } = credentials
  const token = refresh_token ?? access_token
  if (scheme.revocation_url === undefined || token === undefined) return
  const hint = refresh_token === undefined ? 'access_token' : 'refresh_token'
  try {
    const server = { issuer: issuerOf(scheme), revocation_endpoint: fillAccountUrl(scheme.revocation_url, credentials) }
    const options = { ...sendOptions(sender, () => undefined), additionalParameters: { token_type_hint: hint } }
    const registered = { client_id: client.clientId }
    await processRevocationResponse(await revocationRequest(server, registered, clientAuth(scheme, client), token, options))
  } catch (err) {
    const failure = oauthFailure(err, [client.clientSecret, token, access_token ?? ''])
    const revokedBefore = failure instanceof OAuthError && failure.code === 'invalid_token'
    if (!revokedBefore) throw failure
  }
}

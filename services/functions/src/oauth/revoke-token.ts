import { type App, type AuthorizationCodeScheme, type Credentials, fillAccountUrl, schemeOf, tokenNames } from '@onward/catalog'
import type { Sealer } from '@onward/runtime'
import { processRevocationResponse, revocationRequest } from 'oauth4webapi'
import type { Db } from '../db/tables.ts'
import { clientAuth, type OAuthClient, openOAuthClient } from './client.ts'
import { OAuthError, oauthFailure } from './errors.ts'
import { issuerOf } from './exchange.ts'
import { sendOptions, type TokenSender } from './send.ts'

type Parts = { readonly db: Db; readonly sealer: Sealer; readonly oauth: TokenSender }

/**
 * Revokes an account's access at its app (RFC 7009): its grant, and each of its other tokens. Does nothing when the app offers no revocation.
 * Throws an OAuthError.
 */
export async function revokeAccess(parts: Parts, appKey: string, app: App, credentials: Credentials): Promise<void> {
  const scheme = schemeOf(app, credentials)
  if (scheme?.type !== 'oauth2' || scheme.revocation_url === undefined) return
  const { revocation_url, other_tokens = {} } = scheme
  const client = await openOAuthClient(parts, appKey, app.name)
  if (client === null) throw new OAuthError('invalid', 'the application no longer has an OAuth client for this app')
  for (const names of [...Object.keys(other_tokens), null].map(tokenNames)) {
    const refresh = credentials[names.refresh]
    const token = refresh ?? credentials[names.token]
    const hint = refresh === undefined ? 'access_token' : 'refresh_token'
    if (token !== undefined) await revokeOne(parts.oauth, { ...scheme, revocation_url }, client, credentials, token, hint)
  }
}

async function revokeOne(
  sender: TokenSender,
  scheme: AuthorizationCodeScheme & { readonly revocation_url: string },
  client: OAuthClient,
  credentials: Credentials,
  token: string,
  hint: string,
): Promise<void> {
  try {
    const server = { issuer: issuerOf(scheme), revocation_endpoint: fillAccountUrl(scheme.revocation_url, credentials) }
    const options = { ...sendOptions(sender, () => undefined), additionalParameters: { token_type_hint: hint } }
    const registered = { client_id: client.clientId }
    await processRevocationResponse(await revocationRequest(server, registered, clientAuth(scheme, client), token, options))
  } catch (err) {
    const failure = oauthFailure(err, [client.clientSecret, token, credentials.access_token ?? ''])
    const revokedBefore = failure instanceof OAuthError && failure.code === 'invalid_token'
    if (!revokedBefore) throw failure
  }
}

import type { AuthorizationCodeScheme, ClientCredentialsScheme } from '@onward/catalog'
import type { Sealer } from '@onward/runtime'
import { type ClientAuth, ClientSecretPost } from 'oauth4webapi'
import { findOAuthClient, oauthClientRow } from '../db/oauth-clients.ts'
import type { Db } from '../db/tables.ts'

/**
 * An OAuth client that is registered with a provider: the application's own, or the client of one account (client credentials). `scopes`
 * replace the scheme's scopes when a user signs in.
 */
export type OAuthClient = { readonly clientId: string; readonly clientSecret: string; readonly scopes?: readonly string[] | null }

/** Returns the OAuth client that an application registered with an app; null when there is none. */
export async function openOAuthClient(
  { db, sealer }: { readonly db: Db; readonly sealer: Sealer },
  appKey: string,
  app: string,
): Promise<OAuthClient | null> {
  const found = await findOAuthClient(db, appKey, app)
  if (found === undefined) return null
  const { clientId, sealedClientSecret, scopes } = found
  return { clientId, clientSecret: sealer.open(sealedClientSecret, oauthClientRow(appKey, app)), scopes }
}

/** Returns how the client authenticates at the token endpoint. */
export function clientAuth(scheme: AuthorizationCodeScheme | ClientCredentialsScheme, client: OAuthClient): ClientAuth {
  switch (scheme.client_authentication) {
    case 'client_secret_basic':
      return basicAuth(client.clientId, client.clientSecret)
    case 'secret_as_username':
      return basicAuth(client.clientSecret, '')
    case 'client_secret_post':
    case undefined:
      return ClientSecretPost(client.clientSecret)
  }
}

/**
 * Returns HTTP Basic client authentication (RFC 6749, 2.3.1). It replaces the library's version, which also encodes characters such as `-`:
 * servers that do not decode the client id would not recognize the client.
 */
function basicAuth(username: string, password: string): ClientAuth {
  const encoded = [username, password].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${Buffer.from(encoded).toString('base64')}`)
}

import type { AuthorizationCodeScheme, ClientCredentialsScheme } from '@onward/catalog'
import { type ClientAuth, ClientSecretPost } from 'oauth4webapi'

/** An OAuth client as its provider registered it: the application's own, or that of an account by client credentials. */
export type OAuthClient = { readonly clientId: string; readonly clientSecret: string }

/** How the client authenticates at the token endpoint. */
export function clientAuth(scheme: AuthorizationCodeScheme | ClientCredentialsScheme, client: OAuthClient): ClientAuth {
  return scheme.client_authentication === 'client_secret_basic' ? basic(client) : ClientSecretPost(client.clientSecret)
}

/** RFC 6749, 2.3.1. The library's own also encodes letters such as `-`, which servers that decode nothing take for another client. */
function basic({ clientId, clientSecret }: OAuthClient): ClientAuth {
  const encoded = [clientId, clientSecret].map((part) => encodeURIComponent(part).replaceAll('%20', '+')).join(':')
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${Buffer.from(encoded).toString('base64')}`)
}

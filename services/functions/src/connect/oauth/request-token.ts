import {
  type AuthorizationCodeScheme,
  type ClientCredentialsScheme,
  type Credentials,
  fillAccountUrl,
  type JwtBearerScheme,
  type OAuthScheme,
} from '@onward/catalog'
import {
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from 'oauth4webapi'
import { makeAssertion } from './assertion.ts'
import { clientAuth, type OAuthClient } from './client.ts'
import { type Exchanged, exchange } from './exchange.ts'
import { OAuthError } from './oauth-error.ts'
import type { TokenSender } from './post.ts'
import { settingsOf } from './settings.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/**
 * A new access token for an account: by its refresh token, by its client credentials or by its key. Gives all of the account's
 * credentials, the new ones in place of the old; a refresh token that is not replaced stays. `client` is the application's, needed
 * by `oauth2` only. Throws an OAuthError.
 */
export async function requestToken(
  sender: TokenSender,
  scheme: OAuthScheme,
  client: OAuthClient | null,
  credentials: Credentials,
): Promise<Credentials> {
  const { access_token: _access, expires_at: _expires, ...kept } = credentials
  switch (scheme.type) {
    case 'oauth2': {
      const { tokens, answer } = await refresh(sender, scheme, client, credentials)
      return { ...kept, ...settingsOf(scheme, { answer }), ...tokens }
    }
    case 'oauth2_client_credentials':
      return { ...kept, ...(await askAsClient(sender, scheme, credentials)).tokens }
    case 'oauth2_jwt_bearer':
      return { ...kept, ...(await askWithKey(sender, scheme, credentials)).tokens }
  }
}

async function refresh(
  sender: TokenSender,
  scheme: AuthorizationCodeScheme,
  client: OAuthClient | null,
  account: Credentials,
): Promise<Exchanged> {
  const { refresh_token: token, access_token } = account
  if (client === null) throw new OAuthError('invalid', 'the application has no OAuth client for it')
  if (token === undefined) throw new OAuthError('invalid', 'there is no refresh token', 'invalid_grant')
  return await exchange(sender, scheme, account, [client.clientSecret, token, access_token], {
    clientId: client.clientId,
    request: (server, registered, options) => refreshTokenGrantRequest(server, registered, clientAuth(scheme, client), token, options),
    read: processRefreshTokenResponse,
  })
}

async function askAsClient(sender: TokenSender, scheme: ClientCredentialsScheme, account: Credentials): Promise<Exchanged> {
  const { client_id: clientId = '', client_secret: clientSecret = '' } = account
  const auth = clientAuth(scheme, { clientId, clientSecret })
  return await exchange(sender, scheme, account, [clientSecret, account.access_token], {
    clientId,
    request: (server, registered, options) => {
      const parameters = { ...scopeOf(scheme), ...options.additionalParameters }
      return genericTokenEndpointRequest(server, registered, auth, scheme.grant_type ?? 'client_credentials', parameters, options)
    },
    read: processGenericTokenEndpointResponse,
  })
}

async function askWithKey(sender: TokenSender, scheme: JwtBearerScheme, account: Credentials): Promise<Exchanged> {
  return await exchange(sender, scheme, account, [account.private_key, account.access_token], {
    clientId: account.issuer ?? '',
    request: async (server, registered, options) => {
      const assertion = await makeAssertion(scheme, account, fillAccountUrl(scheme.token_url, account))
      const parameters = { ...scopeOf(scheme), ...options.additionalParameters, assertion }
      // The assertion says who asks: there is no client to authenticate.
      return await genericTokenEndpointRequest(server, registered, () => undefined, JWT_BEARER, parameters, options)
    },
    read: processGenericTokenEndpointResponse,
  })
}

function scopeOf({ scopes, scope_separator }: OAuthScheme): { scope?: string } {
  return scopes === undefined ? {} : { scope: scopes.join(scope_separator ?? ' ') }
}

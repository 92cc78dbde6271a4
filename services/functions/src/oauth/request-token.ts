import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto'
import {
  type AuthorizationCodeScheme,
  type ClientCredentialsScheme,
  type Credentials,
  fillAccountText,
  fillAccountUrl,
  type JwtBearerScheme,
  type OAuthScheme,
  type Scheme,
  tokenNames,
} from '@onward/catalog'
import { SignJWT } from 'jose'
import {
  genericTokenEndpointRequest,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
} from 'oauth4webapi'
import { clientAuth, type OAuthClient } from './client.ts'
import { OAuthError } from './errors.ts'
import { type Exchanged, exchange, withResponse, withToken } from './exchange.ts'
import type { TokenSender } from './send.ts'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
/** Some servers refuse assertions that are valid for longer. */
const ASSERTION_LIFETIME = '60s'

/**
 * Requests a new access token with the account's refresh token, client credentials or private key. Returns all credentials of the account
 * with the new tokens; keeps the refresh token unless the server sends a new one. `client` is the application's OAuth client; only `oauth2`
 * needs it. Throws an OAuthError.
 */
export async function requestToken(
  sender: TokenSender,
  scheme: OAuthScheme,
  client: OAuthClient | null,
  credentials: Credentials,
): Promise<Credentials> {
  return withResponse(scheme, credentials, await request(sender, scheme, client, credentials, null))
}

/** A token that could not be renewed. `other` is its name among `other_tokens`; null for the access token. */
export type TokenFailure = { readonly other: string | null; readonly err: OAuthError }

/** `credentials` are all credentials of the account, with new tokens for each of `requested` that is not in `failures`. */
export type Renewed = {
  readonly credentials: Credentials
  readonly requested: readonly (string | null)[]
  readonly failures: readonly TokenFailure[]
}

/** Requests a new access token, as `requestToken` does, and renews the other tokens that have their own refresh tokens. */
export async function requestTokens(
  sender: TokenSender,
  scheme: OAuthScheme,
  client: OAuthClient | null,
  credentials: Credentials,
): Promise<Renewed> {
  const requested = scheme.type === 'oauth2' ? renewable(scheme, credentials) : [null]
  const results = await Promise.allSettled(requested.map((other) => request(sender, scheme, client, credentials, other)))
  const failures: TokenFailure[] = []
  let renewed = credentials
  for (const [i, result] of results.entries()) {
    const other = requested[i] ?? null
    if (result.status === 'rejected') {
      // A bug must not lose a token that the server has rotated.
      const isBug = !(result.reason instanceof OAuthError)
      if (isBug && results.every(({ status }) => status === 'rejected')) throw result.reason
      failures.push({ other, err: isBug ? new OAuthError('unreachable', 'the token request failed') : result.reason })
    } else renewed = other === null ? withResponse(scheme, renewed, result.value) : withToken(renewed, other, result.value.tokens)
  }
  return { credentials: renewed, requested, failures }
}

/** Returns which tokens have a refresh token; the access token comes first. */
function renewable({ other_tokens = {} }: AuthorizationCodeScheme, credentials: Credentials): (string | null)[] {
  return [null, ...Object.keys(other_tokens)].filter((other) => credentials[tokenNames(other).refresh] !== undefined)
}

async function request(
  sender: TokenSender,
  scheme: OAuthScheme,
  client: OAuthClient | null,
  credentials: Credentials,
  other: string | null,
): Promise<Exchanged> {
  switch (scheme.type) {
    case 'oauth2':
      return await refresh(sender, scheme, client, credentials, other)
    case 'oauth2_client_credentials':
      return await requestAsClient(sender, scheme, credentials)
    case 'oauth2_jwt_bearer':
      return await requestWithKey(sender, scheme, credentials)
  }
}

/** Returns whether an account's own credentials are enough to request a token, so that the user need not sign in at the provider. */
export function needsNoSignIn(scheme: Scheme | undefined): scheme is ClientCredentialsScheme | JwtBearerScheme {
  return scheme?.type === 'oauth2_client_credentials' || scheme?.type === 'oauth2_jwt_bearer'
}

async function refresh(
  sender: TokenSender,
  scheme: AuthorizationCodeScheme,
  client: OAuthClient | null,
  account: Credentials,
  other: string | null,
): Promise<Exchanged> {
  const names = tokenNames(other)
  const token = account[names.refresh]
  if (client === null) throw new OAuthError('invalid', 'the application has no OAuth client for this app')
  if (token === undefined) throw new OAuthError('invalid', 'the account has no refresh token', 'invalid_grant')
  const renewing = { ...scheme, token_url: scheme.refresh_url ?? scheme.token_url }
  return await exchange(sender, renewing, account, [client.clientSecret, token, account[names.token]], {
    clientId: client.clientId,
    request: (server, registered, options) => refreshTokenGrantRequest(server, registered, clientAuth(scheme, client), token, options),
    read: processRefreshTokenResponse,
  })
}

async function requestAsClient(sender: TokenSender, scheme: ClientCredentialsScheme, account: Credentials): Promise<Exchanged> {
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

async function requestWithKey(sender: TokenSender, scheme: JwtBearerScheme, account: Credentials): Promise<Exchanged> {
  return await exchange(sender, scheme, account, [account.private_key, account.access_token], {
    clientId: account.issuer ?? '',
    request: async (server, registered, options) => {
      const assertion = await makeAssertion(scheme, account, fillAccountUrl(scheme.token_url, account))
      const parameters = { ...scopeOf(scheme), ...options.additionalParameters, assertion }
      // The assertion authenticates the request, so there is no client authentication.
      return await genericTokenEndpointRequest(server, registered, () => undefined, JWT_BEARER, parameters, options)
    },
    read: processGenericTokenEndpointResponse,
  })
}

function scopeOf({ scopes, scope_separator }: OAuthScheme): { scope?: string } {
  return scopes === undefined ? {} : { scope: scopes.join(scope_separator ?? ' ') }
}

/** Returns the assertion of a service account (RFC 7523): a JWT signed with its private key. Throws an OAuthError for an invalid key. */
async function makeAssertion(scheme: JwtBearerScheme, account: Credentials, tokenUrl: string): Promise<string> {
  const { issuer = '', subject, private_key: pem = '' } = account
  // Some servers read the scopes from this claim, others from the request parameter.
  const jwt = new SignJWT({ ...scopeOf(scheme) })
    .setProtectedHeader({ alg: scheme.algorithm ?? 'RS256', typ: 'JWT' })
    .setIssuer(issuer)
    .setAudience(scheme.audience === undefined ? tokenUrl : fillAccountText(scheme.audience, account))
    .setIssuedAt()
    .setExpirationTime(ASSERTION_LIFETIME)
    .setJti(randomUUID())
  if (subject) jwt.setSubject(subject)
  try {
    return await jwt.sign(readKey(pem))
  } catch {
    throw new OAuthError('invalid', `the private key is not a PEM key for ${scheme.algorithm ?? 'RS256'}`, 'invalid_client')
  }
}

/** A key that was copied from a JSON file contains `\n` for line breaks. */
function readKey(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll('\\n', '\n'))
}

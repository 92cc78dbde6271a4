import {
  type AuthorizationCodeScheme,
  type Credentials,
  compilePointer,
  fillAccountText,
  fillAccountUrl,
  type SettingRequest,
} from '@onward/catalog'
import {
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  nopkce,
  processAuthorizationCodeResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { clientAuth, type OAuthClient } from './client.ts'
import { OAuthError, oauthFailure } from './errors.ts'
import { exchange, issuerOf, settingsOfCallback, withResponse } from './exchange.ts'
import { getJson, type TokenSender } from './send.ts'

type Authorization = {
  readonly scheme: AuthorizationCodeScheme
  readonly client: OAuthClient
  /** Where the provider redirects the browser. */
  readonly redirectUri: string
  /** An unguessable value that the provider sends back in the callback. */
  readonly state: string
  /** The account settings that are already known; the authorization URL may contain them. */
  readonly settings: Credentials
}

/** Returns the provider's authorization URL and the PKCE verifier, which is '' for a scheme without PKCE. */
export async function startAuthorization(authorization: Authorization): Promise<{ url: string; verifier: string }> {
  const { scheme, client, redirectUri, state, settings } = authorization
  const url = new URL(fillAccountUrl(scheme.authorization_url, settings))
  const verifier = scheme.pkce === false ? '' : generateRandomCodeVerifier()
  const scopes = client.scopes ?? scheme.scopes
  const own = Object.entries(scheme.authorization_parameters ?? {})
  const parameters: Record<string, string> = {
    ...Object.fromEntries(own.map(([name, text]) => [name, fillAccountText(text, settings)])),
    ...(scopes === undefined ? {} : { scope: scopes.join(scheme.scope_separator ?? ' ') }),
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    ...(verifier === '' ? {} : { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, verifier }
}

/** `verifier`, `state` and `redirectUri` are the values with which the authorization was started. */
type Redemption = Authorization & {
  readonly verifier: string
  /** The query of the callback request. */
  readonly callback: URLSearchParams
}

/**
 * Exchanges the code of a callback for an account's credentials: `access_token`, the settings, and `refresh_token`, `expires_at` and the
 * scheme's other tokens if the server sends them. Throws an OAuthError.
 */
export async function redeemCode(sender: TokenSender, redemption: Redemption): Promise<Credentials> {
  const { scheme, client, redirectUri, callback, verifier } = redemption
  const secrets = [client.clientSecret, verifier, callback.get('code') ?? '']
  const checked = checkCallback(redemption, secrets)
  const settings = { ...redemption.settings, ...settingsOfCallback(scheme, callback) }
  const auth = clientAuth(scheme, client)
  const exchanged = await exchange(sender, scheme, settings, secrets, {
    clientId: client.clientId,
    request: (server, registered, options) =>
      authorizationCodeGrantRequest(server, registered, auth, checked, redirectUri, verifier === '' ? nopkce : verifier, options),
    read: processAuthorizationCodeResponse,
  })
  const known = withResponse(scheme, settings, exchanged)
  return { ...known, ...(await requestSettings(sender, scheme, known)) }
}

const CALLBACK_PARAMETERS = ['state', 'code', 'error', 'error_description', 'error_uri']

/**
 * Checks the callback: its `state` is ours, its `iss` (RFC 9207) is the scheme's issuer if both are known, and it contains no error.
 * Returns the parameters that the library can redeem. Throws an OAuthError, with `secrets` redacted from its message.
 */
function checkCallback({ scheme, client, callback, state }: Redemption, secrets: readonly string[]): URLSearchParams {
  const known = scheme.issuer === undefined ? CALLBACK_PARAMETERS : [...CALLBACK_PARAMETERS, 'iss']
  const checked = new URLSearchParams([...callback].filter(([name]) => known.includes(name)))
  try {
    return validateAuthResponse({ issuer: issuerOf(scheme) }, { client_id: client.clientId }, checked, state)
  } catch (err) {
    throw oauthFailure(err, secrets)
  }
}

/** Returns the settings that the scheme requests with the new access token. Throws an OAuthError when one of them is not found. */
async function requestSettings(sender: TokenSender, scheme: AuthorizationCodeScheme, account: Credentials): Promise<Credentials> {
  const found: Record<string, string> = {}
  for (const [name, source] of Object.entries(scheme.settings ?? {})) {
    if ('request' in source) found[name] = await requestSetting(sender, source.request, account)
  }
  return found
}

async function requestSetting(sender: TokenSender, request: SettingRequest, account: Credentials): Promise<string> {
  const response = await getJson(sender, fillAccountUrl(request.url, account), account.access_token ?? '')
  const where = Object.entries(request.where ?? {}).map(
    ([pointer, text]) => [compilePointer(pointer), fillAccountText(text, account)] as const,
  )
  const item = [response].flat().find((candidate) => where.every(([read, text]) => isSame(read(candidate), text)))
  const value = compilePointer(request.value)(item)
  if (typeof value === 'string' && value !== '') return value
  const what = where.map(([, text]) => text).join(' and ') || 'the data that is needed'
  throw new OAuthError('invalid', `The account that you signed in with has no access to ${what}.`)
}

/** Ignores case: users write parts of a host name in upper case too. */
function isSame(value: unknown, text: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === text.toLowerCase()
}

import type { AuthorizationCodeScheme } from '@onward/catalog'
import { validateAuthResponse } from 'oauth4webapi'
import type { OAuthClient } from './client.ts'
import { oauthFailure } from './failure.ts'
import { issuerOf } from './issuer.ts'

const STANDARD = ['state', 'code', 'error', 'error_description', 'error_uri']

/**
 * Checks what the browser came back with: its state is ours, its `iss` (RFC 9207) is the scheme's issuer as far as both are known, and
 * it is no error. Gives what the library redeems. Throws an OAuthError, in whose message none of `secrets` stands.
 */
export function checkCallback(
  scheme: AuthorizationCodeScheme,
  { clientId }: OAuthClient,
  callback: URLSearchParams,
  state: string,
  secrets: readonly string[],
): URLSearchParams {
  const known = scheme.issuer === undefined ? STANDARD : [...STANDARD, 'iss']
  const checked = new URLSearchParams([...callback].filter(([name]) => known.includes(name)))
  try {
    return validateAuthResponse({ issuer: issuerOf(scheme) }, { client_id: clientId }, checked, state)
  } catch (err) {
    throw oauthFailure(err, secrets)
  }
}

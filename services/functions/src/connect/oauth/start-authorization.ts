import { type AuthorizationCodeScheme, type Credentials, fillAccountText, fillAccountUrl } from '@onward/catalog'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import type { OAuthClient } from './client.ts'

export type Authorization = {
  readonly scheme: AuthorizationCodeScheme
  readonly client: OAuthClient
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  /** Comes back with the browser; the one who starts must be able to tell it from a made-up one. */
  readonly state: string
  /** What the account has of its settings already: the authorization URL may need them. */
  readonly settings: Credentials
}

/** The provider's page to send the user's browser to, and the PKCE verifier to redeem the code with; '' for a scheme without PKCE. */
export async function startAuthorization(asked: Authorization): Promise<{ url: string; verifier: string }> {
  const { scheme, client, redirectUri, state, settings } = asked
  const url = new URL(fillAccountUrl(scheme.authorization_url, settings))
  const verifier = scheme.pkce === false ? '' : generateRandomCodeVerifier()
  const own = Object.entries(scheme.authorization_parameters ?? {})
  const parameters: Record<string, string> = {
    ...Object.fromEntries(own.map(([name, text]) => [name, fillAccountText(text, settings)])),
    ...(scheme.scopes === undefined ? {} : { scope: scheme.scopes.join(scheme.scope_separator ?? ' ') }),
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirectUri,
    state,
    ...(verifier === '' ? {} : { code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, verifier }
}

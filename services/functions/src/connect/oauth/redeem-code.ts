import type { AuthorizationCodeScheme, Credentials } from '@onward/catalog'
import { authorizationCodeGrantRequest, nopkce, processAuthorizationCodeResponse } from 'oauth4webapi'
import { checkCallback } from './callback.ts'
import { clientAuth, type OAuthClient } from './client.ts'
import { exchange } from './exchange.ts'
import type { TokenSender } from './post.ts'
import { settingsOf } from './settings.ts'

export type Redemption = {
  readonly scheme: AuthorizationCodeScheme
  readonly client: OAuthClient
  /** As the authorization was started with. */
  readonly redirectUri: string
  readonly verifier: string
  readonly state: string
  /** The query that the browser came back with. */
  readonly callback: URLSearchParams
  /** What the account has of its settings already. */
  readonly settings: Credentials
}

/**
 * Turns what the browser came back with into an account's credentials: `access_token`, `settings`, and as far as they are given
 * `refresh_token`, `expires_at` and the scheme's own settings. Throws an OAuthError.
 */
export async function redeemCode(sender: TokenSender, asked: Redemption): Promise<Credentials> {
  const { scheme, client, redirectUri, callback, settings } = asked
  const secrets = [client.clientSecret, asked.verifier, callback.get('code') ?? '']
  const checked = checkCallback(scheme, client, callback, asked.state, secrets)
  const told = { ...settings, ...settingsOf(scheme, { callback }) }
  const verifier: string | typeof nopkce = asked.verifier === '' ? nopkce : asked.verifier
  const auth = clientAuth(scheme, client)
  const { tokens, answer } = await exchange(sender, scheme, told, secrets, {
    clientId: client.clientId,
    request: (server, registered, options) =>
      authorizationCodeGrantRequest(server, registered, auth, checked, redirectUri, verifier, options),
    read: processAuthorizationCodeResponse,
  })
  return { ...told, ...settingsOf(scheme, { answer }), ...tokens }
}

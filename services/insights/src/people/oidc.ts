import { verifiedEmailOf } from '@onward/access'
import { failureOf, isStorable, lazy, type OutgoingClient } from '@onward/runtime'
import * as library from 'openid-client'
import type { OidcConfig } from '../config.ts'

/** What is stored in the browser between the beginning of a sign-in and the callback. */
export type Attempt = { readonly state: string; readonly nonce: string; readonly verifier: string }

/** A person's account at the provider, as the provider describes it. `email` is undefined unless the provider has verified it. */
export type Identity = { readonly issuer: string; readonly subject: string; readonly email: string | undefined }

/** Signs people in with an OpenID provider: authorization code flow with PKCE. Throws an `OidcError`. */
export type OidcProvider = {
  /** Returns the address at the provider to which the browser goes. */
  begin(): Promise<{ readonly url: string; readonly attempt: Attempt }>
  /** Exchanges the code of a callback, and returns the identity. `query` is the query of the callback. */
  finish(query: URLSearchParams, attempt: Attempt): Promise<Identity>
}

/**
 * `unavailable`: the provider could not be reached or is out of order. `denied`: the person or the provider refused the sign-in. `invalid`: the
 * callback or the response of the provider is not valid. `misconfigured`: the settings here or at the provider are wrong.
 */
type OidcErrorKind = 'unavailable' | 'denied' | 'invalid' | 'misconfigured'

/** A failed sign-in. The message is for the log: it contains no code, token or secret. */
export class OidcError extends Error {
  readonly kind: OidcErrorKind

  constructor(kind: OidcErrorKind, message: string) {
    super(message)
    this.kind = kind
  }
}

/** The deadline of each request to the provider. A person waits for up to three of them. */
export const OIDC_TIMEOUT_MS = 8_000
/** The addresses of the provider are read again after this time. */
const METADATA_MS = 3_600_000

/**
 * Returns the provider of the settings. It is asked for its addresses at the first sign-in, so it can be down while the service starts.
 * `allowHttp` is for development.
 */
export function openOidcProvider(config: OidcConfig, client: Pick<OutgoingClient, 'send'>, allowHttp: boolean): OidcProvider {
  const read = async () => await discover(config, client, allowHttp)
  let readAt = Number.NEGATIVE_INFINITY
  let provider = lazy(read)

  async function settings(): Promise<library.Configuration> {
    if (performance.now() - readAt > METADATA_MS) {
      readAt = performance.now()
      provider = lazy(read)
    }
    // What the provider says about itself does not depend on the person.
    return await explained(provider, 'misconfigured')
  }

  return {
    async begin() {
      return await explained(async () => {
        const state = library.randomState()
        const nonce = library.randomNonce()
        const verifier = library.randomPKCECodeVerifier()
        const { href } = library.buildAuthorizationUrl(await settings(), {
          redirect_uri: config.redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { url: href, attempt: { state, nonce, verifier } }
      })
    },
    async finish(query, { state, nonce, verifier }) {
      return await explained(async () => {
        const found = await settings()
        const callback = new URL(`${config.redirectUri}?${query}`)
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        const tokens = await library.authorizationCodeGrant(found, callback, checks)
        const claims = tokens.claims()
        if (claims === undefined) throw new OidcError('invalid', 'the provider sent no ID token')
        // Some providers send the e-mail address only with the details of the user.
        const isInToken = claims.email !== undefined || found.serverMetadata().userinfo_endpoint === undefined
        const details = isInToken ? claims : await library.fetchUserInfo(found, tokens.access_token, claims.sub)
        const identity = { issuer: claims.iss, subject: claims.sub, email: verifiedEmailOf({ ...details }) }
        if (!Object.values(identity).every((claim = '') => isStorable(claim)))
          throw new OidcError('invalid', 'a claim has a character that is not valid text')
        return identity
      })
    },
  }
}

async function discover(
  { issuer, clientId, clientSecret }: OidcConfig,
  client: Pick<OutgoingClient, 'send'>,
  allowHttp: boolean,
): Promise<library.Configuration> {
  return await library.discovery(new URL(issuer), clientId, {}, authenticate(clientSecret), {
    [library.customFetch]: fetchWith(client),
    timeout: OIDC_TIMEOUT_MS / 1_000,
    execute: [library.enableNonRepudiationChecks, ...(allowHttp ? [library.allowInsecureRequests] : [])],
  })
}

/**
 * Returns the client authentication: in the body if the provider lists this method, otherwise in the header Authorization. In the header, the
 * secret is percent-encoded, which some providers do not decode.
 */
function authenticate(secret: string): library.ClientAuth {
  const [post, basic] = [library.ClientSecretPost(secret), library.ClientSecretBasic(secret)]
  return (server, ...rest) => {
    const isListed = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    return (isListed ? post : basic)(server, ...rest)
  }
}

/** Returns a `fetch` that sends through our client, which limits the time and the size of a response and follows no redirects. */
function fetchWith(client: Pick<OutgoingClient, 'send'>): library.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body === null || body === undefined ? undefined : String(body)
    const response = await client.send({ url, method, headers, body: text, timeoutMs: OIDC_TIMEOUT_MS, signal })
    const { status } = response
    if (status >= 500 || status === 429) throw new OidcError('unavailable', `${new URL(url).pathname} of the provider answered ${status}`)
    const type = String(response.headers['content-type'] ?? '')
    return new Response(status === 204 ? null : new Uint8Array(response.body), { status, headers: { 'content-type': type } })
  }
}

/**
 * Runs a part of a sign-in. Converts errors of the library and of our client to an OidcError. `otherwise` is the kind of a response that is not
 * valid.
 */
async function explained<T>(run: () => Promise<T>, otherwise: OidcErrorKind = 'invalid'): Promise<T> {
  try {
    return await run()
  } catch (err) {
    throw explain(err, otherwise)
  }
}

/** The errors with which a provider refuses the client or its request, not the person. */
const REFUSES_CLIENT = ['invalid_client', 'unauthorized_client', 'invalid_request', 'invalid_scope', 'unsupported_response_type']
const IS_BUSY = ['temporarily_unavailable', 'server_error']

function explain(err: unknown, otherwise: OidcErrorKind): unknown {
  if (err instanceof OidcError) return err
  if (err instanceof library.AuthorizationResponseError) {
    return new OidcError(kindOf(err.error, 'denied'), `the provider refused the sign-in: ${oneWord(err.error)}`)
  }
  if (err instanceof library.ResponseBodyError) {
    return new OidcError(kindOf(err.error, otherwise), `the provider refused the code: ${oneWord(err.error)}`)
  }
  // The library wraps the errors of `fetchWith`.
  const { cause } = Object(err) as { cause?: unknown }
  if (cause instanceof OidcError) return cause
  const failure = failureOf(err) ?? failureOf(cause)
  if (failure !== undefined) return new OidcError('unavailable', `no response from the provider: ${failure.kind}`)
  if (Object(err).code === 'OAUTH_TIMEOUT') return new OidcError('unavailable', 'no response from the provider in time')
  if (err instanceof library.ClientError) return new OidcError(otherwise, `${err.message} (${err.code ?? 'no code'})`)
  return err
}

function kindOf(error: string, otherwise: OidcErrorKind): OidcErrorKind {
  if (REFUSES_CLIENT.includes(error)) return 'misconfigured'
  return IS_BUSY.includes(error) ? 'unavailable' : otherwise
}

/** Returns an error code of the provider for the log. It comes from the address of the callback, which anybody can write. */
function oneWord(code: string): string {
  return /^[\w-]{1,60}$/.test(code) ? code : 'unknown error'
}

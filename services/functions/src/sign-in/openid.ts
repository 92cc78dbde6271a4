import { verifiedEmailOf } from '@onward/access'
import { failureOf, openText, Refusal, sealText } from '@onward/runtime'
import type { Say } from '@onward/texts'
import * as library from 'oauth4webapi'
import { requireUserId } from '../auth.ts'
import { PageProblem, START_AGAIN } from '../connect/pages/problem.ts'
import type { OpenIdSettings } from '../db/mcp-sign-in-settings.ts'
import { signInSettingRow } from '../db/mcp-sign-in-settings.ts'
import type { SignInParts } from './parts.ts'

type Parts = Pick<SignInParts, 'log' | 'oauth' | 'sealer'>

/** The content of the parameter `state`, which is sealed. */
type State = { readonly pageToken: string; readonly nonce: string; readonly verifier: string }

const PURPOSE = 'mcp-openid'
const TIMEOUT_MS = 8_000

/** Returns the redirect URI for OpenID providers. */
export function openIdCallback(publicUrl: string): string {
  return `${publicUrl}/oauth/callback`
}

/** Returns the redirect to the OpenID provider of an application. */
export async function beginOpenId(
  parts: Parts,
  publicUrl: string,
  provider: OpenIdSettings,
  pageToken: string,
): Promise<{ readonly location: string }> {
  return await explained(parts, async () => {
    const { authorization_endpoint: endpoint } = await discover(parts, provider)
    if (endpoint === undefined) throw new Error('the provider has no authorization endpoint')
    const [nonce, verifier] = [library.generateRandomNonce(), library.generateRandomCodeVerifier()]
    const url = new URL(endpoint)
    const parameters = {
      client_id: provider.clientId,
      redirect_uri: openIdCallback(publicUrl),
      response_type: 'code',
      scope: 'openid email profile',
      state: sealText(parts.sealer, JSON.stringify([pageToken, nonce, verifier]), PURPOSE),
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { location: url.href }
  })
}

/** Returns the content of `state`; undefined if this server did not make it. */
export function openState({ sealer }: Pick<Parts, 'sealer'>, state: string | null): State | undefined {
  const content = openText(sealer, state, PURPOSE)
  if (content === undefined) return undefined
  const [pageToken, nonce, verifier] = JSON.parse(content)
  return { pageToken, nonce, verifier }
}

/** Exchanges the code of a callback, and returns the User-ID. Throws a PageProblem. */
export async function finishOpenId(
  parts: Parts,
  publicUrl: string,
  appKey: string,
  provider: OpenIdSettings,
  callback: URLSearchParams,
  { nonce, verifier }: State,
): Promise<string> {
  return await explained(parts, async () => {
    const server = await discover(parts, provider)
    const client = { client_id: provider.clientId }
    const secret = parts.sealer.open(provider.sealedSecret, signInSettingRow(appKey))
    const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const auth = isPost ? library.ClientSecretPost(secret) : library.ClientSecretBasic(secret)
    const parameters = library.validateAuthResponse(server, client, callback, callback.get('state') ?? library.expectNoState)
    const options = requestOptions(parts)
    const sent = await library.authorizationCodeGrantRequest(server, client, auth, parameters, openIdCallback(publicUrl), verifier, options)
    const tokens = await library.processAuthorizationCodeResponse(server, client, sent, { expectedNonce: nonce, requireIdToken: true })
    const inToken = library.getValidatedIdTokenClaims(tokens)
    if (inToken === undefined) throw new Error('the provider sent no ID token')
    const claims: Readonly<Record<string, unknown>> =
      inToken[provider.claim] !== undefined || server.userinfo_endpoint === undefined
        ? inToken
        : await readUserInfo(parts, server, client, tokens.access_token, inToken.sub)
    return userIdOf(claims, provider.claim)
  })
}

async function readUserInfo(
  parts: Parts,
  server: library.AuthorizationServer,
  client: library.Client,
  accessToken: string,
  subject: string,
): Promise<library.UserInfoResponse> {
  const response = await library.userInfoRequest(server, client, accessToken, requestOptions(parts))
  return await library.processUserInfoResponse(server, client, subject, response)
}

/** An e-mail address must be verified: otherwise somebody could register at the provider with the address of another user. */
function userIdOf(claims: Readonly<Record<string, unknown>>, claim: string): string {
  const value = claim === 'email' ? verifiedEmailOf(claims) : claims[claim]
  if (typeof value !== 'string' || value === '') {
    const isUnverified = claim === 'email' && typeof claims.email === 'string'
    throw cannotSignIn((t) => (isUnverified ? t.problems.unverifiedEmail : t.problems.namedNobody))
  }
  requireUserId(value)
  return value
}

async function discover(parts: Parts, { issuer }: OpenIdSettings): Promise<library.AuthorizationServer> {
  const url = new URL(issuer)
  const response = await library.discoveryRequest(url, { ...requestOptions(parts), algorithm: 'oidc' })
  return await library.processDiscoveryResponse(url, response)
}

type Init = { readonly method: string; readonly headers: Record<string, string>; readonly body?: unknown }

/** Returns options with which the library sends through our guarded client, which limits the time and the size of a response. */
function requestOptions({ oauth: { client, reach } }: Parts) {
  return {
    [library.allowInsecureRequests]: reach === 'local',
    async [library.customFetch](url: string, { method, headers, body }: Init): Promise<Response> {
      const data = body === undefined || body === null ? undefined : String(body)
      const response = await client.http.request<Buffer>({ url, method, headers, data, timeout: TIMEOUT_MS })
      const type = String(response.headers['content-type'] ?? '')
      return new Response(new Uint8Array(response.data), { status: response.status, headers: { 'content-type': type } })
    },
  }
}

/** Runs a step with the provider. Throws a PageProblem if it fails, and logs the reason without codes and tokens. */
async function explained<T>({ log }: Pick<Parts, 'log'>, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (err) {
    if (err instanceof PageProblem) throw err
    if (err instanceof Refusal) throw cannotSignIn((t) => t.problems.namedWrong)
    if (err instanceof library.AuthorizationResponseError) throw new PageProblem(403, (t) => t.problems.notSignedIn, START_AGAIN)
    const { code, message } = Object(err) as { code?: unknown; message?: unknown }
    log.warn({ reason: failureOf(err)?.kind ?? code ?? message }, 'a user could not sign in with the OpenID provider of an application')
    throw new PageProblem(
      502,
      (t) => t.problems.signInBroken,
      (t) => t.problems.signInBrokenAdvice,
    )
  }
}

function cannotSignIn(advice: Say): PageProblem {
  return new PageProblem(403, (t) => t.problems.cannotSignIn, advice)
}

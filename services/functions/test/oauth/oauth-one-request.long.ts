import type { AuthorizationCodeScheme } from '@onward/catalog'
import { eventually } from '@onward/testbed'
import { redeemCode, startAuthorization } from '../../src/oauth/authorization.ts'
import { type AuthorizationServer, clientOf, REDIRECT_URI, startAuthorizationServer } from '../support/authorization-server.ts'
import { type FunctionsProcess, startFunctionsProcess } from '../support/functions-process.ts'
import { appFile, type OAuthFunctions, openWithApps, tokenSender } from '../support/oauth-support.ts'

const PROCESSES = 4
const CALLS = 500
/** Long enough for all calls to wait for the token. */
const TOKEN_DELAY_MS = 3_000

let server: AuthorizationServer
let onward: OAuthFunctions
let services: FunctionsProcess[]
let scheme: AuthorizationCodeScheme

jest.setTimeout(240_000)

/** Signs a user in and returns the tokens, after the access token has expired at the server. */
async function expiredTokens(): Promise<Record<string, string>> {
  const common = { scheme, client: clientOf('post'), redirectUri: REDIRECT_URI, state: 's', settings: {} }
  const { url, verifier } = await startAuthorization(common)
  const account = await redeemCode(tokenSender(), { ...common, verifier, callback: await server.signIn(url) })
  const headers = { authorization: `Bearer ${account.access_token}` }
  await eventually(async () => expect((await fetch(`${server.url}/api/me`, { headers })).status).toBe(401))
  return account
}

/**
 * Makes all calls at once in all processes and counts each pair of statuses, of Onward and of the app. A call that gets 503 because
 * the machine is too busy for a connection to Postgres is repeated.
 */
async function callEverywhere(user: { readonly headers: Record<string, string> }): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  async function callOnce(service: FunctionsProcess): Promise<void> {
    const response = await fetch(`${service.url}/functions/oak-get-me/call`, { method: 'POST', headers: user.headers })
    const body = (await response.json()) as { network_code?: number; error?: string }
    if (response.status === 503) return await callOnce(service)
    const key = `${response.status} ${body.network_code ?? body.error}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  // The processes take turns, so that each has pending calls before the token arrives.
  await Promise.all(Array.from({ length: CALLS }, () => services).flatMap((all) => all.map(callOnce)))
  return counts
}

describe(`${CALLS} calls at once in each of ${PROCESSES} processes`, () => {
  beforeAll(async () => {
    server = await startAuthorizationServer({ firstTokenSeconds: 1, tokenDelayMs: TOKEN_DELAY_MS })
    const { url } = server
    scheme = {
      type: 'oauth2',
      authorization_url: `${url}/auth`,
      token_url: `${url}/token`,
      scopes: ['openid', 'offline_access'],
      issuer: url,
    }
    onward = await openWithApps([appFile('oak', `${url}/api`, scheme)], { CALL_TIMEOUT_MS: '600000' })
    const { clientId, clientSecret } = clientOf('post')
    await onward.setClient('oak', clientId, clientSecret).expect(200)
    const { appKey } = onward.application
    const rates = { user_rate_limit: 1_000_000, rate_limit: 1_000_000 }
    await onward.admin('put', `/admin/applications/${appKey}`, { workspace_id: 'workspace-1', name: appKey, ...rates }).expect(200)
    services = await Promise.all(Array.from({ length: PROCESSES }, () => startFunctionsProcess(onward.environment)))
  })
  afterAll(async () => {
    for (const service of services) expect(await service.stop()).toBe(0)
    await server.close()
  })

  it.each([
    ['has expired', (tokens: Record<string, string>) => tokens],
    ['is refused, and has no known expiry', ({ expires_at: _, ...tokens }: Record<string, string>) => tokens],
  ])('make one token request when the access token %s', async (_name, known) => {
    const { user, account } = await onward.userWith('oak', known(await expiredTokens()))
    const before = await server.requests()
    expect(await callEverywhere(user)).toEqual({ '200 200': PROCESSES * CALLS })
    const after = await server.requests()
    expect(after.tokenRequests - before.tokenRequests).toBe(1)
    expect(after.errors).toEqual(before.errors)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })
})

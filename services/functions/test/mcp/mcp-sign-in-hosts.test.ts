import { eventually, openScriptedServer, type ScriptedServer } from '@onward/testbed'
import * as oauth from 'oauth4webapi'
import { addToHost, DOCUMENTS, HOSTS, serveDocuments } from '../support/hosts.ts'
import {
  allowAll,
  authorizeUrl,
  CALLBACK,
  listTools,
  locationOf,
  newProof,
  obtainCode,
  refresh,
  register,
  sendForm,
  signIn,
} from '../support/sign-in-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()
let documents: ScriptedServer

beforeAll(async () => {
  documents = await openScriptedServer()
  serveDocuments(documents)
})
afterAll(async () => await documents.close())

describe('a registration as hosts make it', () => {
  it.each(Object.entries(HOSTS))('lets the user of %s sign in', async (_name, host) => {
    const token = await addToHost(onward.url, onward.newUser(), host, documents)
    expect((await listTools(onward.mcpUrl, token)).status).toBe(200)
  })

  it('can be made twice, as claude.ai does, and each works', async () => {
    const [first, second] = [await register(onward.url), await register(onward.url)]
    expect(first.client_id).not.toBe(second.client_id)
    const browser = await signIn(onward.newUser())
    for (const { client_id } of [first, second]) {
      expect((await browser.open(authorizeUrl(onward, client_id, newProof().challenge))).status).toBe(200)
    }
  })

  it.each([
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    [{ redirect_uris: 'https://host.example/' }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://host.example/${n}`) }, 'invalid_redirect_uri'],
  ])('is refused with a reason: %j', async (metadata, error) => {
    await expect(register(onward.url, metadata)).rejects.toThrow(error)
  })

  it('is refused when an address registers too often, and says when to retry', async () => {
    const other = await onward.startAnother({ trustedProxies: ['127.0.0.1'] })
    const send = async (address: string) => {
      const headers = { 'content-type': 'application/json', 'x-forwarded-for': address }
      const body = JSON.stringify({ redirect_uris: ['https://host.example/'] })
      return await fetch(`${other.url}/oauth/register`, { method: 'POST', headers, body })
    }
    await eventually(async () => {
      const answers = await Promise.all(Array.from({ length: 130 }, () => send('192.0.2.1')))
      const refused = answers.find(({ status }) => status === 429)
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refused?.json()).toEqual({ error: 'temporarily_unavailable', error_description: expect.stringContaining('120 clients') })
      expect((await send('192.0.2.2')).status).toBe(201)
    }, 60_000)
  })

  it('without refresh tokens gets none, unless it asks for offline access', async () => {
    const registration = { grant_types: ['authorization_code'] }
    const tokens = async (scope?: string) => {
      const { fields } = await obtainCode(onward, undefined, { registration, authorizing: { scope } })
      return (await sendForm(`${onward.url}/oauth/token`, fields)).body
    }
    expect((await tokens()).refresh_token).toBeUndefined()
    expect((await tokens('functions:read functions:write offline_access')).refresh_token).toMatch(/^onw_mcr_/)
  })
})

describe('a metadata document of a host', () => {
  it.each(Object.entries(DOCUMENTS))('lets the user of %s sign in', async (_name, host) => {
    const token = await addToHost(onward.url, onward.newUser(), host, documents)
    expect((await listTools(onward.mcpUrl, token)).status).toBe(200)
  })
})

describe('a strict OAuth library', () => {
  const options = { [oauth.allowInsecureRequests]: true }

  it('discovers the servers, registers, gets and refreshes tokens, and revokes them', async () => {
    const resource = new URL(onward.mcpUrl)
    const metadata = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, options))
    const issuer = new URL(metadata.authorization_servers?.[0] ?? '')
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    const wanted = {
      client_name: 'Strict',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'client_secret_basic',
    }
    const registered = await oauth.dynamicClientRegistrationRequest(server, wanted, options)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    const auth = oauth.ClientSecretBasic(client.client_secret as string)

    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const state = oauth.generateRandomState()
    const browser = await signIn(onward.newUser())
    const page = await browser.open(authorizeUrl(onward, client.client_id, challenge, { state }))
    const location = locationOf(await browser.submit(page, allowAll(page)))
    // A mix-up: the response of another server is refused by its issuer.
    const mixedUp = new URLSearchParams({ ...Object.fromEntries(location.searchParams), iss: 'https://evil.example' })
    expect(() => oauth.validateAuthResponse(server, client, mixedUp, state)).toThrow()
    const callback = oauth.validateAuthResponse(server, client, location.searchParams, state)
    const more = { ...options, additionalParameters: { resource: onward.mcpUrl } }
    const sent = await oauth.authorizationCodeGrantRequest(server, client, auth, callback, CALLBACK, verifier, more)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, sent)
    const call = { method: 'tools/list', jsonrpc: '2.0', id: 1, params: {} }
    const headers = new Headers({ accept: 'application/json, text/event-stream', 'content-type': 'application/json' })
    const used = await oauth.protectedResourceRequest(tokens.access_token, 'POST', resource, headers, JSON.stringify(call), options)
    expect(used.status).toBe(200)

    const again = await oauth.refreshTokenGrantRequest(server, client, auth, tokens.refresh_token as string, more)
    const renewed = await oauth.processRefreshTokenResponse(server, client, again)
    const revoked = await oauth.revocationRequest(server, client, auth, renewed.refresh_token as string, options)
    await oauth.processRevocationResponse(revoked)
    expect((await listTools(onward.mcpUrl, renewed.access_token)).status).toBe(401)
    expect((await refresh(onward.url, client.client_id, 'x')).body.error).toBe('invalid_client')
  })
})

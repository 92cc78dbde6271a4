import { createHash, randomBytes } from 'node:crypto'
import request from 'supertest'
import { openBrowser, type Page } from './connecting.ts'
import type { Functions, User } from './support.ts'

export type Registration = { readonly client_id: string; readonly client_secret?: string; readonly redirect_uris: readonly string[] }

/** The redirect URI of a client in tests. */
export const CALLBACK = 'https://host.example/callback'

/** Returns a verifier and a challenge of PKCE. */
export function newProof() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Fields of a form or a query. An undefined one is not sent. */
export type Fields = Readonly<Record<string, string | undefined>>

/** Sends a form to an endpoint for OAuth clients. */
export async function sendForm(url: string, fields: Fields, headers: Fields = {}): Promise<request.Response> {
  const { origin, pathname } = new URL(url)
  return await request(origin)
    .post(pathname)
    .type('form')
    .set(headers as Record<string, string>)
    .send(fields)
}

export async function register(url: string, metadata: object = {}): Promise<Registration> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', client_name: 'Test host', ...metadata }),
  })
  if (response.status !== 201) throw new Error(`registration failed: ${await response.text()}`)
  return (await response.json()) as Registration
}

/** Returns the URL of an authorization request. */
export function authorizeUrl(onward: Pick<Functions, 'url'>, clientId: string, challenge: string, changed: Fields = {}): string {
  const parameters: Fields = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    resource: `${onward.url}/mcp/app-1`,
    ...changed,
  }
  const sent = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${onward.url}/oauth/authorize?${new URLSearchParams(sent)}`
}

/** Signs a user in to a browser with a one-time link. */
export async function signIn(user: User, browser = openBrowser()) {
  const { body } = await user.post('/mcp/sign-in/link').expect(200)
  const page = await browser.open(body.url)
  const signedIn = await browser.submit(page)
  if (signedIn.status !== 200) throw new Error(`sign-in failed: ${signedIn.text}`)
  return browser
}

/** The fields of a form. */
export type Filled = Readonly<Record<string, string | readonly string[]>>

/** Returns the fields of the consent page as a browser sends them when the user changes nothing. */
export function allowAll(page: Page): Filled {
  return { decision: 'allow', which: 'all', days: '30', app: tickedOf(page, 'app'), function: tickedOf(page, 'function') }
}

/** Returns the values of the boxes that are ticked on a page. */
export function tickedOf({ text }: Page, field: 'app' | 'function'): string[] {
  return [...text.matchAll(new RegExp(`name="${field}" value="([^"]+)" checked`, 'g'))].map(([, name = '']) => name)
}

/** Returns where a page redirects to. */
export function locationOf(page: Page): URL {
  if (page.status !== 303) throw new Error(`no redirect: ${page.status} ${page.text}`)
  return new URL(page.headers.location ?? '')
}

type Asking = { readonly authorizing?: Fields; readonly registration?: object }
type Options = Asking & { readonly decision?: Filled }

type Consent = {
  readonly client: Registration
  readonly verifier: string
  readonly browser: ReturnType<typeof openBrowser>
  readonly page: Page
}

/** Registers a client, signs a user in to a browser, and opens what the client asks the user. */
export async function openConsent(onward: Functions, user = onward.newUser(), asking: Asking = {}): Promise<Consent> {
  const { authorizing = {}, registration = {} } = asking
  const client = await register(onward.url, registration)
  const { verifier, challenge } = newProof()
  const browser = await signIn(user)
  const page = await browser.open(authorizeUrl(onward, client.client_id, challenge, authorizing))
  return { client, verifier, browser, page }
}

/** Lets a new client act for a user. Returns the client, and the fields with which it exchanges its code. */
export async function obtainCode(onward: Functions, user = onward.newUser(), { decision = {}, ...asking }: Options = {}) {
  const { client, verifier, browser, page } = await openConsent(onward, user, asking)
  const location = locationOf(await browser.submit(page, { ...allowAll(page), ...decision }))
  const fields = {
    grant_type: 'authorization_code',
    client_id: client.client_id,
    code: location.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: asking.authorizing?.redirect_uri ?? CALLBACK,
  }
  return { client, location, fields }
}

type Tokens = { readonly access_token: string; readonly refresh_token: string; readonly expires_in: number; readonly scope: string }

/** Lets a new client act for a user, and returns the client with its tokens. */
export async function obtainTokens(onward: Functions, user = onward.newUser(), options: Options = {}) {
  const { client, fields } = await obtainCode(onward, user, options)
  const { status, body } = await sendForm(`${onward.url}/oauth/token`, { ...fields, client_secret: client.client_secret })
  if (status !== 200) throw new Error(`no tokens: ${JSON.stringify(body)}`)
  return { client, fields, tokens: body as Tokens }
}

/** Refreshes tokens. */
export async function refresh(url: string, clientId: string, refreshToken: string, more: Fields = {}): Promise<request.Response> {
  return await sendForm(`${url}/oauth/token`, {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
    ...more,
  })
}

/** Lists the tools of an MCP URL with an access token. */
export async function listTools(mcpUrl: string, accessToken?: string): Promise<Response> {
  return await sendRpc(mcpUrl, accessToken, 'tools/list', {})
}

/** Calls a tool of an MCP URL with an access token. Returns the text of its result. */
export async function callToolAt(mcpUrl: string, accessToken: string, name: string, args: object): Promise<string> {
  const response = await sendRpc(mcpUrl, accessToken, 'tools/call', { name, arguments: args })
  const message = (await response.text()).replace(/^event: message\ndata: /, '')
  return JSON.parse(message).result.content[0].text
}

async function sendRpc(mcpUrl: string, accessToken: string | undefined, method: string, params: object): Promise<Response> {
  const headers = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
  }
  return await fetch(mcpUrl, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
}

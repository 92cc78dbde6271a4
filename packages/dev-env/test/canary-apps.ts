import { generateKeyPairSync } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { openScriptedServer, type Received, type ScriptedServer, sendJson } from '@onward/testbed'
import type { Canaries } from './canaries.ts'

type Credentials = Readonly<Record<string, string>>

/** For each app, which all have another scheme: its settings in the app file, and the credentials of a new account. */
export function canaryApps({ make, add }: Canaries, url: string) {
  const token_url = `${url}/token`
  const field = { title: 'Key', description: 'A key.' }
  return {
    header: { auth: { type: 'api_key', in: 'header', name: 'X-Key', prefix: 'Key ' }, account: () => ({ api_key: make('API key') }) },
    query: { auth: { type: 'api_key', in: 'query', name: 'key' }, account: () => ({ api_key: make('API key in a query') }) },
    bearer: { auth: { type: 'bearer' }, account: () => ({ token: make('bearer token') }) },
    basic: { auth: { type: 'basic' }, account: () => ({ username: 'ada@example.com', password: make('password') }) },
    alone: { auth: { type: 'basic' }, account: () => ({ username: make('user name without a password'), password: '' }) },
    custom: {
      auth: { type: 'custom', fields: { one: field, two: field }, headers: { 'X-One': 'a {one}' }, query: { two: '{two}' } },
      account: () => ({ one: make('field in a header'), two: make('field in a query') }),
    },
    path: {
      auth: { type: 'custom', fields: { key: field }, path: '/bot{key}' },
      account: () => ({ key: make('field in a path') }),
    },
    oauth: {
      auth: { type: 'oauth2', authorization_url: `${url}/auth`, token_url },
      account: () => ({ access_token: make('access token'), refresh_token: make('refresh token') }),
    },
    expired: {
      auth: { type: 'oauth2', authorization_url: `${url}/auth`, token_url, client_authentication: 'client_secret_basic' },
      account: () => ({
        access_token: make('expired access token'),
        refresh_token: make('used refresh token'),
        expires_at: '2026-01-01T00:00:00Z',
      }),
    },
    post: {
      auth: { type: 'oauth2_client_credentials', token_url },
      account: () => ({ client_id: 'post', client_secret: make('client secret in a body') }),
    },
    client: {
      auth: { type: 'oauth2_client_credentials', token_url, client_authentication: 'client_secret_basic' },
      account: () => ({ client_id: 'client', client_secret: make('client secret in a header') }),
    },
    robot: { auth: { type: 'oauth2_jwt_bearer', token_url, algorithm: 'ES256' }, account: () => robot(add) },
  } satisfies Record<string, { auth: object; account: () => Credentials }>
}

/** A line of the key is the secret, because each text that contains the key contains that line. */
function robot(add: Canaries['add']): Credentials {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  add('private key', pem.split('\n')[2] ?? '')
  return { issuer: 'robot', private_key: pem }
}

/** Returns the file of an app. To identify an account, it takes the name that the third party sends. */
export function appFile(name: string, url: string, auth: object): object {
  return {
    name,
    title: name,
    description: `The app ${name}.`,
    base_url: url,
    auth,
    identity: { function: 'get-profile', name: '/name', id: '/id' },
    functions: {
      'get-profile': { title: 'Get profile', description: 'Gets your profile.', type: 'QUERY', request: { method: 'GET', path: '/me' } },
    },
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** What the third party received: as JSON, and as text in which nothing is encoded. */
type Seen = { readonly json: string; readonly plain: string }

/** How the third party sends back what it received, by the last part of the path. */
export const ECHOES: Readonly<Record<string, (response: ServerResponse, seen: Seen) => unknown>> = {
  json: (response, { json }) => response.end(json),
  key: (response, { json, plain }) => response.end(JSON.stringify({ [json]: 1, [plain]: 2 })),
  nested: (response, { json }) => response.end(JSON.stringify({ text: JSON.stringify({ json }) })),
  text: (response, { plain }) => response.end(`<p>${plain}</p>`),
  base64: (response, { plain }) => response.end(JSON.stringify({ text: base64(plain) })),
  hex: (response, { plain }) => response.end(Buffer.from(plain).toString('hex')),
  url: (response, { plain }) => response.end(`seen=${encodeURIComponent(plain)}`),
  binary: (response, { plain }) =>
    response
      .writeHead(200, { 'content-type': 'application/octet-stream' })
      .end(Buffer.concat([Buffer.from([0, 255, 254]), Buffer.from(plain)])),
  header: (response, { plain }) =>
    response.writeHead(302, { 'x-seen': base64(plain), 'set-cookie': base64(plain), location: `/?${encodeURIComponent(plain)}` }).end(),
  refused: (response, { json, plain }) => sendJson(response, 401, { message: `${plain} ${base64(plain)}`, json }),
  failed: (response, { plain }) => response.writeHead(500).end(plain),
  cut: (response, { plain }) => response.writeHead(200, { 'content-length': 100_000 }).write(plain, () => response.destroy()),
}

export type ThirdParty = ScriptedServer & {
  /** Whether tokens are refused with responses that contain the request. */
  refusesTokens: boolean
}

/** Opens a server that is all third parties: APIs, OAuth providers and a receiver of webhooks. Each sends back what it receives. */
export async function openThirdParty({ make }: Canaries): Promise<ThirdParty> {
  const third = { ...(await openScriptedServer()), refusesTokens: false }
  let refused = 0
  third.respond((received, response) => {
    const { url, body } = received
    const seen = seenOf(received)
    if (url === '/token' && third.refusesTokens) {
      return sendJson(response, [400, 200, 401, 500][refused++ % 4] ?? 400, { error: 'invalid_grant', error_description: seen.plain })
    }
    if (url === '/token') {
      const refresh_token = /grant_type=(refresh_token|authorization_code)/.test(body) ? make('issued refresh token') : undefined
      return sendJson(response, 200, { access_token: make('issued access token'), refresh_token, token_type: 'bearer', expires_in: 3_600 })
    }
    if (/\/me(\?|$)/.test(url)) return sendJson(response, 200, { name: seen.plain, id: seen.plain })
    ECHOES[/\/echo\/(\w+)/.exec(url)?.[1] ?? 'failed']?.(response, seen)
  })
  return third
}

function seenOf({ url, headers, body }: Received): Seen {
  const [, basic = ''] = /^Basic (.+)/.exec(headers.authorization ?? '') ?? []
  const plain = [
    ...Object.values(headers),
    ...[url, body, Buffer.from(basic, 'base64').toString()].flatMap((text) => [text, decodeURIComponent(text)]),
  ].join(' ')
  return { json: JSON.stringify({ url, headers, body }), plain }
}

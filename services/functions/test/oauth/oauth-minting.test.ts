import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { JwtBearerScheme } from '@onward/catalog'
import { eventually, openScriptedServer, type Received, type ScriptedServer, sendJson } from '@onward/testbed'
import { jwtVerify } from 'jose'
import { requestToken } from '../../src/oauth/request-token.ts'
import { appFile, type OAuthFunctions, openWithApps, tokenSender } from '../support/oauth-support.ts'

let server: ScriptedServer
let onward: OAuthFunctions
let minted = 0
let life = 3_600

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject, type: 'pkcs8' | 'pkcs1' | 'sec1' = 'pkcs8') => key.export({ type: type as 'pkcs8', format: 'pem' }).toString()

const SECRET = 'machine-secret-0123456789'

beforeAll(async () => {
  server = await openScriptedServer()
  server.respond((received, response) => void answer(received, response))
  onward = await openWithApps([
    appFile('mint', server.url, {
      type: 'oauth2_client_credentials',
      token_url: `${server.url}/token`,
      scopes: ['read', 'write'],
      client_authentication: 'client_secret_basic',
      token_parameters: { audience: 'api' },
    }),
    appFile('robot', server.url, { type: 'oauth2_jwt_bearer', token_url: `${server.url}/token`, scopes: ['read', 'write'] }),
  ])
})
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
  life = 3_600
})

/** A token endpoint with one client and two keys, and an API that accepts only the newest token. */
async function answer({ url, headers, body }: Received, response: Parameters<typeof sendJson>[0]): Promise<void> {
  if (url !== '/token') {
    const good = headers.authorization === `Bearer minted-token-${minted}`
    return sendJson(response, good ? 200 : 401, good ? { name: 'Machine' } : { error: 'invalid_token' })
  }
  const asked = new URLSearchParams(body)
  const basic = Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()
  const known =
    asked.get('grant_type') === 'client_credentials' ? basic === `machine:${SECRET}` : await isSigned(asked.get('assertion') ?? '')
  if (!known) return sendJson(response, 401, { error: 'invalid_client', error_description: 'who are you' })
  sendJson(response, 200, { access_token: `minted-token-${++minted}`, token_type: 'Bearer', expires_in: life })
}

async function isSigned(assertion: string): Promise<boolean> {
  for (const key of [rsa.publicKey, ec.publicKey]) {
    const verified = await jwtVerify(assertion, key, { audience: `${server.url}/token` }).catch(() => undefined)
    if (verified !== undefined) return true
  }
  return false
}

const tokenRequests = () => server.received.filter(({ url }) => url === '/token')

describe('client credentials', () => {
  const credentials = { client_id: 'machine', client_secret: SECRET }

  it('get a token when the account is connected, and a new one after it expires', async () => {
    const long = await onward.userWith('mint', credentials)
    expect(Object.fromEntries(new URLSearchParams(tokenRequests()[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'api',
    })
    expect((await long.getMe().expect(200)).body.network_code).toBe(200)
    expect(tokenRequests()).toHaveLength(1)

    life = 1
    const { getMe, account } = await onward.userWith('mint', credentials)
    expect(tokenRequests()).toHaveLength(2)
    life = 3_600
    await eventually(async () => {
      expect((await getMe().expect(200)).body).toMatchObject({ network_code: 200, output: { name: 'Machine' } })
      expect(tokenRequests()).toHaveLength(3)
    })
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it('use one token for many calls', async () => {
    const { getMe } = await onward.userWith('mint', credentials)
    for (let i = 0; i < 3; i++) await getMe().expect(200)
    expect(tokenRequests()).toHaveLength(1)
  })

  it('use one token for many calls even when it lives only for a minute', async () => {
    life = 60
    const { getMe } = await onward.userWith('mint', credentials)
    for (let i = 0; i < 4; i++) await getMe().expect(200)
    expect(tokenRequests()).toHaveLength(1)
  })

  it('are refused with the error of the app when they are wrong', async () => {
    const { body } = await onward.connect('joe', 'mint', { client_id: 'machine', client_secret: 'wrong-secret-0123456789' }).expect(400)
    expect(body).toEqual({
      error: 'the credentials are not valid',
      error_details: ['credentials: Mint issued no access token: invalid_client: who are you'],
      code: 'invalid_parameters',
      request_id: expect.any(String),
    })
  })

  it('are not stored when the token endpoint is down', async () => {
    server.respond((_received, response) => sendJson(response, 503, {}))
    const { body } = await onward.connect('joe', 'mint', credentials).expect(502)
    expect(body.code).toBe('upstream_unreachable')
    server.respond((received, response) => void answer(received, response))
    expect(await onward.db.selectFrom('connected_account').select('id').where('user_id', '=', 'joe').execute()).toEqual([])
  })

  it('must be connected again after they are revoked', async () => {
    const { getMe, account } = await onward.userWith('mint', credentials)
    server.respond((_received, response) => sendJson(response, 401, { error: 'invalid_client' }))
    await onward.db
      .updateTable('connected_account')
      .set({ renewed_at: new Date(0) })
      .execute()
    expect((await getMe().expect(200)).body.network_code).toBe(401)
    expect(await account()).toMatchObject({ status: 'reconnect_required', last_error: 'Mint: invalid_client' })
    expect((await getMe().expect(400)).body.code).toBe('account_reconnect_required')
    server.respond((received, response) => void answer(received, response))
  })
})

describe('a service account', () => {
  it.each([
    ['PKCS #8', pem(rsa.privateKey)],
    ['PKCS #1', pem(rsa.privateKey, 'pkcs1')],
    ['JSON', pem(rsa.privateKey).replaceAll('\n', '\\n')],
  ])('signs its token request with a key in the form of %s', async (_name, private_key) => {
    const { getMe } = await onward.userWith('robot', { issuer: 'robot@example.com', private_key, subject: 'ada@example.com' })
    expect((await getMe().expect(200)).body).toMatchObject({ network_code: 200, output: { name: 'Machine' } })
    const asked = new URLSearchParams(tokenRequests()[0]?.body)
    expect(asked.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    expect(asked.get('scope')).toBe('read write')
    const { payload, protectedHeader } = await jwtVerify(asked.get('assertion') ?? '', rsa.publicKey)
    expect(protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT' })
    expect(payload).toEqual({
      iss: 'robot@example.com',
      sub: 'ada@example.com',
      aud: `${server.url}/token`,
      scope: 'read write',
      iat: expect.any(Number),
      exp: Number(payload.iat) + 60,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it('can sign with ES256, for another audience and without a subject', async () => {
    const scheme: JwtBearerScheme = {
      type: 'oauth2_jwt_bearer',
      token_url: `${server.url}/token`,
      algorithm: 'ES256',
      audience: `${server.url}/token`,
    }
    const account = { issuer: 'robot@example.com', private_key: pem(ec.privateKey, 'sec1') }
    expect((await requestToken(tokenSender(), scheme, null, account)).access_token).toBe(`minted-token-${minted}`)
    const { payload } = await jwtVerify(new URLSearchParams(tokenRequests()[0]?.body).get('assertion') ?? '', ec.publicKey)
    expect(payload).not.toHaveProperty('sub')
    expect(payload).not.toHaveProperty('scope')
  })

  it.each([
    ['text that is not a key', 'this is no key'],
    ['a key of another type', pem(ec.privateKey)],
  ])('is refused with %s, which is not repeated', async (_name, private_key) => {
    const { body } = await onward.connect('joe', 'robot', { issuer: 'robot@example.com', private_key }).expect(400)
    expect(body.error_details).toEqual(['credentials: Robot issued no access token: the private key is not a PEM key for RS256'])
    expect(tokenRequests()).toEqual([])
  })
})

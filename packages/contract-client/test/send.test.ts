import {
  callFunction,
  getUserTasks,
  listApps,
  listDeliveries,
  listUserTasks,
  putApplication,
  readCalls,
  rotateSecret,
  rotateSigningSecret,
  setUserLimits,
} from '@onward/contract'
import { openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { adminClient, exchange, functionsClient, insightsClient, send } from '../src/index.ts'

let server: ScriptedServer

beforeAll(async () => {
  server = await openScriptedServer()
})

afterAll(() => server.close())

beforeEach(() => {
  server.received.length = 0
  server.respond((_received, response) => sendJson(response, 200, {}))
})

const joe = (userId = 'joe@example.com') => functionsClient({ url: server.url, appKey: 'key', appSecret: 's', userId })
const partner = () => insightsClient({ url: server.url, apiKey: 'pk_1' })
const admin = () => adminClient({ url: server.url, token: 'adm' })

describe('functionsClient', () => {
  it('signs the User-ID with the test vector of the contract', async () => {
    await send(joe(), listApps, { query: { search: 'a b&c', connected_only: true, page_size: undefined } })
    const [{ method, url, headers, body } = fail()] = server.received
    expect([method, url, body]).toEqual(['POST', '/apps/list?search=a+b%26c&connected_only=true', ''])
    expect(headers).toMatchObject({
      'app-key': 'key',
      'user-id': 'joe@example.com',
      hash: 'f775af9faf7b49b6f96eeb4d4643b8e857bc1c9f4fe2024a831fca9f2ec1e0f6',
      accept: 'application/json',
    })
    expect(headers['content-type']).toBeUndefined()
  })

  it.each(['Zoë', 'Nicolà', '山田', '😀', 'e\u0301'])('sends User-ID %s as UTF-8 bytes', async (userId) => {
    await send(joe(userId), listApps)
    const arrived = Buffer.from(String(server.received[0]?.headers['user-id']), 'latin1')
    expect(arrived).toEqual(Buffer.from(userId, 'utf8'))
  })

  it.each(['', 'a\nb', ' joe', 'joe ', 'a\0'])('throws for the User-ID %j, which would not arrive unchanged', (userId) => {
    expect(() => joe(userId)).toThrow('userId must not be empty')
  })

  it.each(['.', '..'])('throws for the User-ID %j, which URL libraries remove from paths', (userId) => {
    expect(() => joe(userId)).toThrow('userId must not be . or ..')
  })

  it('sends a body, further headers and encoded path variables, and returns the headers of the answer', async () => {
    server.respond((_received, response) => {
      response.setHeader('X-Call-ID', 'call-1')
      sendJson(response, 200, { network_code: 201, output: { a: 'ü' }, _cursor: null })
    })
    const input = { params: { function_name: 'a/b ?#é' }, query: { connected_account_id: '7' }, headers: { 'Idempotency-Key': 'once' } }
    const got = await exchange(joe(), callFunction, { ...input, body: { text: 'grüß', _variables: { a: 1 } } })
    expect(got.response).toEqual({ network_code: 201, output: { a: 'ü' }, _cursor: null })
    expect([got.status, got.headers['x-call-id']]).toEqual([200, 'call-1'])
    const [{ url, headers, body } = fail()] = server.received
    expect(url).toBe('/functions/a%2Fb%20%3F%23%C3%A9/call?connected_account_id=7')
    expect(headers).toMatchObject({ 'idempotency-key': 'once', 'content-type': 'application/json' })
    expect(JSON.parse(body)).toEqual({ text: 'grüß', _variables: { a: 1 } })
  })

  it('shows no credential when it is logged', () => {
    expect(JSON.stringify(joe())).toBe(JSON.stringify({ url: server.url, timeoutMs: 60_000 }))
  })
})

describe('insightsClient', () => {
  it('sends the api-key', async () => {
    server.respond((_received, response) => sendJson(response, 200, { success: 'true' }))
    const limits = [{ user_id: 'u', allowed_tasks: 3 }]
    expect(await send(partner(), setUserLimits, { query: { app_key: 'k' }, body: limits })).toEqual({ success: 'true' })
    await send(partner(), getUserTasks, { params: { id: 'joe@example.com' }, query: { app_key: 'k' } })
    const [first = fail(), second = fail()] = server.received
    expect([first.method, first.url, JSON.parse(first.body)]).toEqual(['POST', '/partners/api/insights/users/tasks?app_key=k', limits])
    expect([second.method, second.url]).toEqual(['GET', '/partners/api/insights/users/joe%40example.com/tasks?app_key=k'])
    expect(second.headers['api-key']).toBe('pk_1')
  })

  it('lists the deliveries of a subscription and rotates its secret', async () => {
    await send(partner(), listDeliveries, { params: { subscription_id: 'sub' }, query: { status: 'failed', _cursor: undefined } })
    await send(partner(), rotateSigningSecret, { params: { subscription_id: 'sub' }, body: {} })
    const [first = fail(), second = fail()] = server.received
    expect([first.method, first.url]).toEqual(['GET', '/partners/api/insights/subscriptions/sub/deliveries?status=failed'])
    expect([second.method, second.url, second.body]).toEqual(['POST', '/partners/api/insights/subscriptions/sub/rotate-secret', '{}'])
  })
})

describe('adminClient', () => {
  it('sends the bearer token to a path below that of its URL', async () => {
    const inner = adminClient({ url: `${server.url}/inner/`, token: 'adm' })
    await send(inner, putApplication, { params: { app_key: 'shop' }, body: { workspace_id: 'w', name: 'Shop' } })
    const [{ method, url, headers, body } = fail()] = server.received
    expect([method, url, headers.authorization]).toEqual(['PUT', '/inner/admin/applications/shop', 'Bearer adm'])
    expect(JSON.parse(body)).toEqual({ workspace_id: 'w', name: 'Shop' })
  })

  it.each(['', '.', '..'])('throws for the path variable %j, which would change the endpoint', async (appKey) => {
    await expect(send(admin(), rotateSecret, { params: { app_key: appKey } })).rejects.toThrow('app_key must not be empty, . or ..')
    expect(server.received).toEqual([])
  })

  it.each(['ftp://127.0.0.1', 'nowhere', 'http://me:s3cret@127.0.0.1', 'http://127.0.0.1/?a=s3cret'])('throws for the URL %s', (url) => {
    expect(() => adminClient({ url, token: 'adm' })).toThrow(/^url must (be|not contain)((?!s3cret).)*$/)
  })

  it('returns an answer that is a list', async () => {
    server.respond((_received, response) => sendJson(response, 200, []))
    expect(await send(partner(), listUserTasks, { query: { app_key: 'k' } })).toEqual([])
    expect(await send(admin(), readCalls)).toEqual([])
  })
})

function fail(): never {
  throw new Error('nothing was received')
}

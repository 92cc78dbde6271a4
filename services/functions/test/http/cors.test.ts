import { eventually } from '@onward/testbed'
import request from 'supertest'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

const PAGE = 'https://app.example.com'
const OTHER = 'https://other.example.com'
const NOWHERE = 'https://nowhere.example.com'

let secret: string

beforeAll(async () => {
  secret = (await onward.makeApplication('paged', 'workspace-1', { allowed_origins: [PAGE, 'https://admin.example.com'] })).secret
  await onward.makeApplication('other', 'workspace-1', { allowed_origins: [OTHER] })
})

function preflight(path: string, origin: string) {
  return request(onward.url).options(path).set({ Origin: origin, 'Access-Control-Request-Method': 'POST' })
}

function post(path: string, origin: string, headers: Record<string, string> = onward.user('joe', { appKey: 'paged', secret }).headers) {
  return request(onward.url).post(path).set(headers).set('Origin', origin)
}

describe('a preflight request', () => {
  it.each([
    ['/functions/list', PAGE, true],
    ['/functions/list', OTHER, true],
    ['/functions/list', NOWHERE, false],
    ['/functions/list', 'null', false],
    ['/functions/list?app_key=paged', PAGE, true],
    ['/functions/list?app_key=paged', OTHER, false],
    ['/functions/list?app_key=nothing', PAGE, false],
    ['/nowhere', PAGE, true],
  ])('to %s from %s needs no credentials; the origin is allowed: %s', async (path, origin, allowed) => {
    const { headers, text } = await preflight(path, origin).expect(204)
    expect([text, headers.vary, headers['access-control-allow-origin']]).toEqual(['', 'Origin', allowed ? origin : undefined])
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    if (!allowed) return
    expect(headers).toMatchObject({ 'access-control-allow-methods': 'GET, POST, PATCH, DELETE', 'access-control-max-age': '600' })
    const names = headers['access-control-allow-headers']?.toLowerCase().split(', ')
    expect(names).toEqual(expect.arrayContaining(['app-key', 'user-id', 'hash', 'content-type', 'idempotency-key', 'version']))
  })

  it('is allowed soon after the origin was added', async () => {
    await preflight('/apps/list', 'https://new.example.com').expect(204)
    await onward.makeApplication('other', 'workspace-1', { allowed_origins: [OTHER, 'https://new.example.com'] })
    await eventually(async () => {
      const { headers } = await preflight('/apps/list', 'https://new.example.com')
      expect(headers['access-control-allow-origin']).toBe('https://new.example.com')
    })
  })

  it('is only an OPTIONS request with the method that the browser asks for', async () => {
    await request(onward.url).options('/apps/list').set('Origin', PAGE).expect(401)
  })
})

describe('the answer to a request of a page', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['is right', '/apps/list', {}, 200],
    ['has an unknown path', '/nowhere', {}, 404],
    ['has a wrong hash', '/apps/list', { Hash: '0'.repeat(64) }, 401],
  ])('can be read by a page of the application only, when the request %s', async (_what, path, changed, status) => {
    const sent = { ...onward.user('joe', { appKey: 'paged', secret }).headers, ...changed }
    const { headers } = await post(path, PAGE, sent).expect(status)
    expect(headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' })
    expect(headers['access-control-expose-headers']).toBe(
      'X-Request-ID, X-Call-ID, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy',
    )
    for (const origin of [OTHER, NOWHERE, `${PAGE}.`, PAGE.toUpperCase()]) {
      const refused = await post(path, origin, sent).expect(status)
      expect([refused.headers.vary, refused.headers['access-control-allow-origin']]).toEqual(['Origin', undefined])
    }
  })

  it('cannot be read for an unknown App-Key, and has no headers for a server', async () => {
    const unknown = await post('/apps/list', PAGE, { ...onward.user('joe').headers, 'App-Key': 'nothing' }).expect(401)
    expect(unknown.headers).not.toHaveProperty('access-control-allow-origin')
    const { headers } = await onward.user('joe').post('/apps/list').expect(200)
    expect([headers.vary, headers['access-control-allow-origin']]).toEqual([undefined, undefined])
  })
})

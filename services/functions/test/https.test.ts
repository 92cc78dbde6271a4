import request from 'supertest'
import { type Functions, openFunctions } from './support.ts'

let direct: Functions
let behindProxy: Functions

beforeAll(async () => {
  direct = await openFunctions({ env: { ALLOW_PLAIN_HTTP: 'false' } })
  behindProxy = await openFunctions({ env: { ALLOW_PLAIN_HTTP: 'false', TRUSTED_PROXIES: '127.0.0.1' } })
})

function list(onward: Functions, headers: Record<string, string> = {}) {
  return request(onward.url)
    .post('/apps/list')
    .set({ ...onward.user('joe').headers, ...headers })
}

describe('plain HTTP', () => {
  it('is refused with 403, never redirected', async () => {
    const { body, headers } = await list(direct).expect(403)
    expect(body).toEqual({ error: expect.any(String), error_details: [], code: 'https_required' })
    expect(headers.location).toBeUndefined()
  })

  it('is refused before the credentials are looked at', async () => {
    await list(direct, { Hash: 'wrong' }).expect(403)
  })

  it('is refused whatever an untrusted peer says', async () => {
    await list(direct, { 'X-Forwarded-Proto': 'https' }).expect(403)
    await list(direct, { Forwarded: 'proto=https', 'X-Forwarded-For': '127.0.0.1' }).expect(403)
  })
})

describe('a trusted proxy', () => {
  it('is believed when it says https', async () => {
    await list(behindProxy, { 'X-Forwarded-Proto': 'https' }).expect(200)
  })

  it.each(['http', 'http, https', 'HTTPS-not', ''])('is believed when it says %j', async (proto) => {
    await list(behindProxy, { 'X-Forwarded-Proto': proto }).expect(403)
  })

  it('must say so', async () => {
    await list(behindProxy).expect(403)
  })
})

describe('the internal port', () => {
  it('answers health, readiness and metrics without credentials, and has none of the public endpoints', async () => {
    await request(direct.internalUrl).get('/healthz').expect(200, { status: 'ok' })
    await request(direct.internalUrl)
      .get('/readyz')
      .expect(200, { status: 'ok', parts: { postgres: 'up', queue: 'up' } })
    const { text } = await request(direct.internalUrl).get('/metrics').expect(200)
    expect(text.split('\n')).toContain('onward_functions_outbox_rows{service="functions"} 0')
    await request(direct.internalUrl).post('/apps/list').set(direct.user('joe').headers).expect(404)
  })

  it('is the only one that has health, metrics and the admin API', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/admin/applications', '/admin/calls']) {
      const { body } = await request(behindProxy.url)
        .get(path)
        .set({ ...behindProxy.user('joe').headers, 'X-Forwarded-Proto': 'https', authorization: 'Bearer admin-token-of-the-tests' })
        .expect(404)
      expect(body.code).toBe('not_found')
    }
  })
})

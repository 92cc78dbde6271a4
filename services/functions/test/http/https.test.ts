import { functionsOpenApi } from '@onward/contract'
import { VERSION } from '@onward/runtime'
import { sql } from 'kysely'
import request from 'supertest'
import { publicRoutes } from '../../src/app.ts'
import { type Functions, useFunctions } from '../support/support.ts'

const HTTPS_ONLY = { ALLOW_PLAIN_HTTP: 'false', PUBLIC_URL: 'https://onward.example' }
const direct = useFunctions({ env: HTTPS_ONLY })
const behindProxy = useFunctions({ env: { ...HTTPS_ONLY, TRUSTED_PROXIES: '127.0.0.1' } })

function list(onward: Functions, headers: Record<string, string> = {}) {
  return request(onward.url)
    .post('/apps/list')
    .set({ ...onward.user('joe').headers, ...headers })
}

describe('plain HTTP', () => {
  it('is refused with 403, never redirected', async () => {
    const { body, headers } = await list(direct).expect(403)
    expect(body).toEqual({
      error: expect.any(String),
      error_details: [],
      code: 'https_required',
      request_id: expect.any(String),
      docs_url: 'https://onward.example/docs/errors#https_required',
    })
    expect(headers.location).toBeUndefined()
  })

  it('is refused before the credentials are checked', async () => {
    await list(direct, { Hash: 'wrong' }).expect(403)
  })

  it('is refused even when an untrusted peer sends X-Forwarded-Proto', async () => {
    await list(direct, { 'X-Forwarded-Proto': 'https' }).expect(403)
    await list(direct, { Forwarded: 'proto=https', 'X-Forwarded-For': '127.0.0.1' }).expect(403)
  })
})

describe('a trusted proxy', () => {
  it('is trusted when X-Forwarded-Proto is https', async () => {
    await list(behindProxy, { 'X-Forwarded-Proto': 'https' }).expect(200)
  })

  it.each(['http', 'http, https', 'HTTPS-not', ''])('gets 403 when X-Forwarded-Proto is %j', async (proto) => {
    await list(behindProxy, { 'X-Forwarded-Proto': proto }).expect(403)
  })

  it('gets 403 without X-Forwarded-Proto', async () => {
    await list(behindProxy).expect(403)
  })
})

describe('the internal port', () => {
  it('answers health, readiness and metrics without credentials, and serves no public endpoint', async () => {
    await request(direct.internalUrl).get('/healthz').expect(200, { status: 'ok', version: VERSION })
    await request(direct.internalUrl)
      .get('/readyz')
      .expect(200, { status: 'ok', parts: { postgres: 'up', sealing_keys: 'up', queue: 'up' } })
    const { text } = await request(direct.internalUrl).get('/metrics').expect(200)
    expect(text.split('\n')).toContain('onward_functions_outbox_rows{service="functions"} 0')
    await request(direct.internalUrl).post('/apps/list').set(direct.user('joe').headers).expect(404)
  })

  it('says in pg_stat_activity what each connection is for', async () => {
    const { rows } = await sql<{ name: string }>`
      select distinct application_name as name from pg_stat_activity where datname = current_database() and application_name like 'onward%'
      order by 1`.execute(direct.db)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['onward listen', 'onward requests']))
  })

  it('is the only port that serves health, metrics and the admin API', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/admin/applications', '/admin/calls']) {
      const { body } = await request(behindProxy.url)
        .get(path)
        .set({ ...behindProxy.user('joe').headers, 'X-Forwarded-Proto': 'https', authorization: 'Bearer admin-token-of-the-tests' })
        .expect(404)
      expect(body.code).toBe('not_found')
    }
  })
})

describe('GET /openapi.json', () => {
  it('is served without credentials, over https only', async () => {
    const { body } = await request(behindProxy.url)
      .get('/openapi.json')
      .set('x-forwarded-proto', 'https')
      .expect(200)
      .expect('content-type', /json/)
    expect(body).toEqual(JSON.parse(JSON.stringify(functionsOpenApi)))
    await request(behindProxy.url).get('/openapi.json').expect(403)
  })

  it('describes exactly the public routes', () => {
    const described = Object.entries(functionsOpenApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((each) => `${each} ${path}`),
    )
    const served = publicRoutes.map(({ endpoint: { method, path } }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    expect(new Set(described)).toEqual(new Set(served))
  })
})

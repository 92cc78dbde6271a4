import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestLine } from '@onward/testbed'
import request from 'supertest'
import { isError, openInsights, type Workspace } from './insights.ts'
import { useInsights } from './use-insights.ts'

const ENDPOINTS = [
  ['get', '/partners/api/insights/users/joe/tasks/?app_key=x'],
  ['get', '/partners/api/insights/users/tasks/?app_key=x'],
  ['post', '/partners/api/insights/users/tasks/?app_key=x'],
  ['post', '/partners/api/insights/users/tasks-bulk/'],
  ['patch', '/partners/api/accounts/me/'],
  ['post', '/partners/api/insights/subscriptions/'],
  ['delete', '/partners/api/insights/subscriptions/5f0c9a52-9a0e-4d0e-8f0e-5b1c9a529a0e/'],
] as const

describe('every endpoint', () => {
  const log = join(tmpdir(), `onward-${randomUUID()}.log`)
  const insights = useInsights({ env: { LOG_LEVEL: 'info', LOG_FILE: log } })
  afterAll(() => rm(log))
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await insights.workspace()
  })

  const MISSING = 'api-key: is missing; send it as a header, not in the query'
  const MALFORMED = 'api-key: must be onw_pk_ and 49 further characters, or pk_ and 43'
  const keys: [what: string, change: (key: string) => string | undefined, details: string[]][] = [
    ['no key', () => undefined, [MISSING]],
    ['an empty key', () => '', [MISSING]],
    ['a short key', () => 'pk_unknown', [MALFORMED]],
    ['a key with a further character', (key) => `${key}x`, [MALFORMED]],
    ['a truncated key', (key) => key.slice(0, -1), [MALFORMED]],
    ['an unknown key', () => `onw_pk_${'x'.repeat(49)}`, []],
    ['an unknown key of version 0.1.0', () => `pk_${'x'.repeat(43)}`, []],
  ]

  it.each(keys)('refuses %s, and says only whether it is missing or malformed', async (_what, change, error_details) => {
    const refused = { error: 'send a valid API key of a workspace in the header api-key', error_details, code: 'unauthenticated' }
    const key = change(workspace.apiKey)
    for (const [method, path] of ENDPOINTS) {
      await request(insights.url)
        [method](path)
        .set(key === undefined ? {} : { 'api-key': key })
        .expect(401)
        .expect(isError(refused))
    }
  })

  it('reads the key from the header only', async () => {
    await request(insights.url)
      .get(`/partners/api/insights/users/tasks/?app_key=${workspace.appKey}&api-key=${workspace.apiKey}`)
      .expect(401)
    await request(insights.url)
      .get(`/partners/api/insights/users/tasks/?app_key=${workspace.appKey}`)
      .set('Api-Key', workspace.apiKey)
      .expect(200)
  })

  it('refuses an unknown key before it parses the body', async () => {
    await request(insights.url).post('/partners/api/insights/subscriptions/').set('content-type', 'application/json').send('{').expect(401)
  })

  it('is served with and without the final slash', async () => {
    for (const slash of ['', '/']) {
      await workspace.send('get', `/partners/api/insights/users/tasks${slash}?app_key=${workspace.appKey}`).expect(200)
      await workspace.send('patch', `/partners/api/accounts/me${slash}`).send({ tasks_limit: 5 }).expect(200)
    }
  })

  it('is a known path: any other path is answered 404', async () => {
    const unknown = { error: 'there is no such endpoint', error_details: [], code: 'not_found' }
    await workspace.send('get', '/partners/api/insight/users/joe').expect(404).expect(isError(unknown))
    await workspace.send('get', '/admin/workspaces').expect(404).expect(isError(unknown))
    await workspace.send('get', '/metrics').expect(404).expect(isError(unknown))
  })

  it('says that it belongs to the other service, before it asks for a key', async () => {
    const { body } = await request(insights.url).post('/functions/list').expect(404)
    expect(body.error).toBe('this is insights (area B), whose paths are below /partners; this path is one of functions (area A)')
  })

  it('refuses another method with 405 and names its own', async () => {
    for (const [method, path, allowed] of [
      ['delete', '/partners/api/accounts/me/', 'PATCH'],
      ['patch', '/partners/api/insights/users/tasks', 'GET, POST'],
    ] as const) {
      const { body, headers } = await workspace.send(method, path).expect(405)
      expect([body.code, headers.allow]).toEqual(['method_not_allowed', allowed])
    }
  })

  it.each([
    [
      'invalid JSON',
      'application/json',
      '{"tasks_limit":',
      400,
      'invalid_body',
      ['body: is not valid at line 1, column 16: expected a value'],
    ],
    ['XML', 'application/xml', '<tasks_limit/>', 415, 'unsupported_media_type', []],
    ['more than 2 MiB', 'application/json', JSON.stringify('x'.repeat(2 * 1_048_576)), 413, 'body_too_large', []],
    ['a key named __proto__', 'application/json', '{"__proto__":{"tasks_limit":1}}', 400, 'invalid_body', []],
  ])('refuses %s', async (_what, type, body, status, code, details) => {
    const response = await workspace.send('patch', '/partners/api/accounts/me/').set('content-type', type).send(body).expect(status)
    expect(response.body).toEqual({ error: expect.any(String), error_details: details, code, request_id: expect.any(String) })
  })

  it('is logged with its route and the workspace, but without the user and the key', async () => {
    const { headers } = await workspace.send('get', `/partners/api/insights/users/carol/tasks/?app_key=${workspace.appKey}`).expect(404)
    const route = '/partners/api/insights/users/:id/tasks'
    expect(await requestLine(log, String(headers['x-request-id']))).toMatchObject({
      method: 'GET',
      route,
      status: 404,
      code: 'user_not_found',
      workspace: workspace.id,
    })
    const lines = await readFile(log, 'utf8')
    for (const secret of ['carol', workspace.apiKey]) expect(lines).not.toContain(secret)
  })

  it('answers an internal error without details', async () => {
    await insights.db.schema.alterTable('application').renameTo('hidden').execute()
    const { body } = await workspace.send('get', `/partners/api/insights/users/tasks?app_key=${workspace.appKey}`).expect(500)
    await insights.db.schema.alterTable('hidden').renameTo('application').execute()
    expect(body).toEqual({
      error: 'the service failed; the request was not at fault',
      error_details: [],
      code: 'internal_error',
      request_id: expect.any(String),
    })
  })
})

describe('plain HTTP', () => {
  const refused = {
    error: 'plain HTTP is not accepted; use https',
    error_details: [],
    code: 'https_required',
    request_id: expect.any(String),
  }

  async function answers(env: Record<string, string>, forwarded: string | undefined): Promise<{ status: number; body: unknown }> {
    const insights = await openInsights({ env: { ALLOW_PLAIN_HTTP: 'false', ...env } })
    try {
      const call = request(insights.url).patch('/partners/api/accounts/me/').send({ tasks_limit: 1 })
      return await (forwarded === undefined ? call : call.set('x-forwarded-proto', forwarded))
    } finally {
      await insights.close()
    }
  }

  it.each([
    ['is refused', {}, undefined],
    ['is refused when an unlisted client claims https', {}, 'https'],
    ['is refused when an unlisted proxy claims https', { TRUSTED_PROXIES: '10.0.0.0/8' }, 'https'],
    ['is refused when a listed proxy received plain HTTP', { TRUSTED_PROXIES: '127.0.0.1' }, 'http'],
  ])('%s', async (_what, env, forwarded) => {
    expect(await answers(env, forwarded)).toMatchObject({ status: 403, body: refused })
  })

  it('is answered behind a listed proxy that received https', async () => {
    expect(await answers({ TRUSTED_PROXIES: '127.0.0.1' }, 'https')).toMatchObject({ status: 401 })
  })
})

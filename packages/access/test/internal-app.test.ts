import { endpoint } from '@onward/contract'
import {
  Counter,
  type InternalParts,
  internalApp,
  openLog,
  openMetrics,
  openRateLimits,
  openRequestSeconds,
  routesOf,
  VERSION,
} from '@onward/runtime'
import { eventually } from '@onward/testbed'
import type { Express } from 'express'
import request from 'supertest'
import { requireAdminToken } from '../src/index.ts'

const TOKEN = 'the-admin-token-of-the-test'
const response = { type: 'object', properties: { got: {} } } as const
const put = endpoint({
  method: 'put',
  path: '/admin/things/:id',
  access: { role: 'operator' },
  action: null,
  summary: 'Put.',
  body: { type: 'object' },
  response,
})
const log = openLog('test', 'silent')
const shared = openRateLimits({ queueUrl: 'postgres:', queuePrefix: '', refused: { inc() {} }, log })
afterAll(() => shared.close())

function openApp(checks: InternalParts<object>['checks'] = {}, rateLimits = shared): { app: Express; calls: () => number } {
  const metrics = openMetrics('test')
  const calls = new Counter({ name: 'test_calls', help: 'Calls.', registers: [metrics] })
  let handled = 0
  const route = routesOf<object, undefined>()(put, async (_context, { body }) => {
    handled += 1
    calls.inc()
    return { got: body }
  })
  const seconds = openRequestSeconds(metrics)
  const common = {
    context: {},
    routes: [route],
    authenticate: requireAdminToken(TOKEN, rateLimits),
    checkResponses: true,
    metrics,
    seconds,
    log,
    checks,
  }
  return { app: internalApp(common), calls: () => handled }
}

const up = { check: async () => 'up', needed: true }
const down = {
  async check() {
    throw new Error('connect ECONNREFUSED postgres://user:secret@db')
  },
  needed: true,
}

describe('the internal app', () => {
  it('is healthy even when a part is down', async () => {
    await request(openApp({ postgres: down }).app)
      .get('/healthz')
      .expect(200, { status: 'ok', version: VERSION })
  })

  it('is ready when every part is up', async () => {
    await request(openApp({ postgres: up, queue: up }).app)
      .get('/readyz')
      .expect(200, { status: 'ok', parts: { postgres: 'up', queue: 'up' } })
  })

  it.each([
    ['fails', down.check],
    [
      'throws at once',
      () => {
        throw new Error('not even a promise')
      },
    ],
  ])('is not ready while a needed part %s, and names the part without the reason', async (_name, check) => {
    await request(openApp({ postgres: { check, needed: true }, queue: up }).app)
      .get('/readyz')
      .expect(503, { status: 'unavailable', parts: { postgres: 'down', queue: 'up' } })
  })

  it('is not ready while a needed part does not respond', async () => {
    await request(openApp({ postgres: up, queue: { check: () => new Promise(() => {}), needed: true } }).app)
      .get('/readyz')
      .timeout(10_000)
      .expect(503, { status: 'unavailable', parts: { postgres: 'up', queue: 'down' } })
  })

  it('is ready, but degraded, while a part is down that it can do without', async () => {
    const { app } = openApp({ postgres: up, queue: { ...down, needed: false } })
    await request(app)
      .get('/readyz')
      .expect(200, { status: 'degraded', parts: { postgres: 'up', queue: 'down' } })
    const { text } = await request(app).get('/metrics').expect(200)
    expect(text).toContain('onward_part_up{part="postgres",service="test"} 1')
    expect(text).toContain('onward_part_up{part="queue",service="test"} 0')
  })

  it('serves its metrics with those of the process', async () => {
    const { app } = openApp()
    await request(app).put('/admin/things/1').set('authorization', `Bearer ${TOKEN}`).send({})
    const { text, headers } = await request(app).get('/metrics').expect(200)
    expect(headers['content-type']).toContain('text/plain')
    expect(text).toContain('test_calls{service="test"} 1')
    expect(text).toContain(`onward_build_info{version="${VERSION}",node="${process.versions.node}",service="test"} 1`)
    expect(text).toMatch(/onward_process_cpu_seconds_total\{service="test"\} /)
  })

  it('keeps the metrics of two services in one process separate', async () => {
    const [one, other] = [openApp(), openApp()]
    await request(one.app).put('/admin/things/1').set('authorization', `Bearer ${TOKEN}`).send({})
    const { text } = await request(other.app).get('/metrics')
    expect(text).toContain('test_calls{service="test"} 0')
  })
})

describe('the admin API', () => {
  it('answers a request with the token', async () => {
    await request(openApp().app)
      .put('/admin/things/1')
      .set('authorization', `Bearer ${TOKEN}`)
      .send({ a: 1 })
      .expect(200, { got: { a: 1 } })
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `Basic ${TOKEN}`,
    TOKEN,
    `Bearer ${'x'.repeat(10_000)}`,
  ])('answers 401 to %.40s', async (authorization) => {
    const { app, calls } = openApp()
    const { body } = await request(app)
      .put('/admin/things/1')
      .set(authorization === undefined ? {} : { authorization })
      .send({})
      .expect(401)
    expect(body).toEqual({
      error: 'send the admin token as Authorization: Bearer',
      error_details: [],
      code: 'unauthenticated',
      request_id: expect.any(String),
    })
    expect(calls()).toBe(0)
  })

  it.each([
    '/ADMIN/things/1',
    '/Admin/things/1/',
    '//admin/things/1',
    '/./admin/things/1',
    '/%61dmin/things/1',
    '/admin%2Fthings/1',
    '/admin/../admin/things/1',
  ])('cannot be reached without the token: %s', async (path) => {
    const { app, calls } = openApp()
    const { status } = await request(app).put(path).send({})
    expect([401, 404]).toContain(status)
    expect(calls()).toBe(0)
  })

  it('checks the token before it reads the body', async () => {
    await request(openApp().app).put('/admin/things/1').type('json').send('{').expect(401)
    await request(openApp().app).put('/admin/things/1').set('authorization', `Bearer ${TOKEN}`).type('json').send('{').expect(400)
  })

  it('refuses an address that sends 600 wrong tokens in a minute, even with the right token', async () => {
    const own = openRateLimits({ queueUrl: 'postgres:', queuePrefix: '', refused: { inc() {} }, log })
    const { app } = openApp({}, own)
    const put = (token: string) => request(app).put('/admin/things/1').set('authorization', `Bearer ${token}`).send({})
    await eventually(async () => {
      await put('wrong').expect(401)
      for (let n = 1; n < 600; n++) own.wrongCredentials.count('127.0.0.1')
      const { body, headers } = await put(TOKEN).expect(429)
      expect([body.code, Number(headers['retry-after'])]).toEqual(['rate_limited', expect.any(Number)])
    })
    await own.close()
  })

  it('serves an address that sends 600 wrong tokens after the right one', async () => {
    const own = openRateLimits({ queueUrl: 'postgres:', queuePrefix: '', refused: { inc() {} }, log })
    const { app } = openApp({}, own)
    const put = (token: string) => request(app).put('/admin/things/1').set('authorization', `Bearer ${token}`).send({})
    await put(TOKEN).expect(200)
    for (let n = 0; n < 600; n++) own.wrongCredentials.count('127.0.0.1')
    await put(TOKEN).expect(200)
    await put('wrong').expect(401)
    await own.close()
  })

  it('answers 404 to an unknown path', async () => {
    await request(openApp().app).get('/other').expect(404)
    await request(openApp().app).get('/admin/other').set('authorization', `Bearer ${TOKEN}`).expect(404)
  })
})

import { endpoint } from '@onward/contract'
import { eventually } from '@onward/testbed'
import type { Express } from 'express'
import request from 'supertest'
import {
  makeEndpoints,
  mount,
  openMetrics,
  openRequestSeconds,
  publicApp,
  Refusal,
  refuseUnknownPath,
  routesOf,
  sendErrors,
} from '../src/index.ts'
import { openLogFile } from './log-file.ts'

const answer = { type: 'object' } as const
const read = endpoint({ method: 'get', path: '/things/:id', summary: 'Read.', response: answer })
const write = endpoint({ method: 'put', path: '/things/:id', summary: 'Write.', response: answer })
const list = endpoint({ method: 'post', path: '/things/list', summary: 'List.', response: answer })
const route = routesOf<object, undefined>()

let file: Awaited<ReturnType<typeof openLogFile>>
let app: Express
const metrics = openMetrics('test')
const seconds = openRequestSeconds(metrics)

beforeAll(async () => {
  file = await openLogFile()
  const routes = [
    route(list, async () => ({})),
    route(read, async (_context, { response }) => {
      response.setHeader('X-Call-ID', 'call-1')
      return {}
    }),
    route(write, async () => {
      throw new Refusal('app_not_found', 'gone', [], { suggestions: ['a'], loginUrl: 'https://login', retryAfterSeconds: 3 })
    }),
  ]
  const endpoints = makeEndpoints(routes.map((each) => each.endpoint))
  const senderOf = () => ({ app_key: 'shop', user: 'abc' })
  app = publicApp({ trustedProxies: [], allowPlainHttp: true }, { log: file.log, seconds, endpoints, senderOf })
  mount(app, {}, routes, { checkResponses: true })
  app.use(refuseUnknownPath(endpoints), sendErrors(file.log))
})

afterAll(() => file.close())

/** Returns the log line of a request. */
async function lineOf(id: string): Promise<Record<string, unknown>> {
  return await eventually(async () => {
    const found = (await file.lines()).filter((line) => line.request_id === id && line.msg === 'request')
    expect(found).toHaveLength(1)
    return found[0] as Record<string, unknown>
  })
}

describe('the id of a request', () => {
  it.each(['request-1', 'a.b_c-D9', 'x'.repeat(128)])('is that of the caller if it is sane: %s', async (id) => {
    const { headers } = await request(app).get('/things/1').set('X-Request-ID', id).expect(200)
    expect(headers['x-request-id']).toBe(id)
  })

  it.each([
    ['none', ''],
    ['short', 'abc'],
    ['long', 'x'.repeat(129)],
    ['with other characters', 'request 1;"'],
  ])('is made if the caller sends one that is %s', async (_what, id) => {
    const { headers } = await request(app).get('/things/1').set('X-Request-ID', id).expect(200)
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/)
  })

  it('is in the header and in the body of every error', async () => {
    for (const path of ['/things/1', '/nowhere', '/%ff']) {
      const { body, headers } = await request(app).put(path)
      expect([body.request_id, body.request_id === headers['x-request-id']]).toEqual([expect.any(String), true])
    }
  })
})

describe('the log', () => {
  it('has one line for each request, without its path, query and body', async () => {
    const { headers } = await request(app).get('/things/secret-id?hash=secret-hash').expect(200)
    const line = await lineOf(String(headers['x-request-id']))
    expect(line).toMatchObject({
      level: 30,
      method: 'GET',
      route: '/things/:id',
      status: 200,
      app_key: 'shop',
      user: 'abc',
      call_id: 'call-1',
    })
    expect(line.duration_ms).toEqual(expect.any(Number))
    expect(JSON.stringify(await file.lines())).not.toContain('secret')
  })

  it('has the code of an error', async () => {
    const { headers } = await request(app).put('/things/1').expect(404)
    expect(await lineOf(String(headers['x-request-id']))).toMatchObject({ status: 404, code: 'app_not_found' })
  })

  it('names no unknown path', async () => {
    const { headers } = await request(app).get('/nowhere').expect(404)
    expect(await lineOf(String(headers['x-request-id']))).toMatchObject({ route: 'unmatched', code: 'not_found' })
  })

  it('comes with a histogram by method, route and status', async () => {
    await request(app).post('/things/list').expect(200)
    await eventually(async () =>
      expect(await metrics.metrics()).toMatch(
        /onward_http_request_seconds_count\{.*method="POST",route="\/things\/list",status="200".*\} 1/,
      ),
    )
  })
})

describe('an error', () => {
  it('has suggestions, a login URL and the time to retry', async () => {
    const { body, headers } = await request(app).put('/things/1').expect(404)
    expect(body).toMatchObject({ suggestions: ['a'], login_url: 'https://login' })
    expect(headers['retry-after']).toBe('3')
  })

  it.each([
    ['delete', '/things/1', 'GET, PUT'],
    ['post', '/things/1/', 'GET, PUT'],
  ] as const)('is 405 for %s %s, and names the allowed methods', async (method, path, allowed) => {
    const { body, headers } = await request(app)[method](path).expect(405)
    expect([body.code, headers.allow]).toEqual(['method_not_allowed', allowed])
  })

  it('is 404 for a path that only resembles one with a dot', () => {
    expect(makeEndpoints([], ['/openapi.json']).methodsOf('/openapiXjson')).toEqual([])
  })

  it.each([
    ['/thing/list', ['POST /things/list']],
    ['/v1/things/list', ['POST /things/list']],
    ['/things', ['POST /things/list']],
    ['/other', []],
    [`/thing/${'x'.repeat(300)}`, []],
  ])('names the endpoints that may be meant by %s', (path, meant) => {
    expect(makeEndpoints([list]).meantBy(path)).toEqual(meant)
  })

  it('says which endpoint may be meant by an unknown path, with the parameters of the path', async () => {
    const { body } = await request(app).get('/thing/1').expect(404)
    expect(body.error).toBe('there is no such endpoint; did you mean GET /things/1 or PUT /things/1?')
  })

  it('names the methods of all endpoints that a path fits', () => {
    expect(makeEndpoints([list, read, write]).methodsOf('/things/list')).toEqual(['POST', 'GET', 'PUT'])
  })
})

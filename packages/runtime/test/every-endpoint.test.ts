import * as contract from '@onward/contract'
import express, { type Express, type RequestHandler } from 'express'
import request from 'supertest'
import {
  compileCheck,
  internalApp,
  type Listening,
  listen,
  mount,
  openLog,
  openMetrics,
  openRateLimits,
  openRequestSeconds,
  publicApp,
  readBody,
  sendErrors,
} from '../src/index.ts'
import { openRequestLog } from './log-file.ts'
import { sendRaw } from './tcp.ts'

type Endpoint = contract.EndpointShape
const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'
const READ = { method: 'get', path: '/', summary: 'Read.', response: { type: 'object' } } as const

/** Every endpoint of both areas and of both admin APIs, by its name in the contract. */
const endpoints = Object.entries(contract as Record<string, unknown>).filter(
  (entry): entry is [string, Endpoint] => Object(entry[1]).method !== undefined && Object(entry[1]).path !== undefined,
)

const apps = new Map<Endpoint, Express>()

/** Serves one endpoint, whose handler accepts everything. Some endpoints of the two admin APIs have the same path. */
function appOf(endpoint: Endpoint): Express {
  const app = apps.get(endpoint) ?? express().use(...readBody(1_048_576))
  if (!apps.has(endpoint)) {
    mount(app, {}, [{ endpoint, handle: async () => ({}) }], { checkResponses: false })
    app.use(sendErrors(openLog('test', 'silent')))
  }
  apps.set(endpoint, app)
  return app
}

async function send(endpoint: Endpoint, query: string, type = FORM, body = '') {
  const path = endpoint.path.replaceAll(/:\w+/g, 'x')
  return await request(appOf(endpoint))[endpoint.method](`${path}?${query}`).type(type).send(body)
}

/** Returns each property of an endpoint's query or object body that takes numbers only. */
function numbersOf(part: 'query' | 'body') {
  return endpoints.flatMap(([name, endpoint]) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => ['integer', 'number'].includes(Object(schema).type))
      .map(([property]) => [name, property, endpoint] as const),
  )
}

/** Texts that JavaScript converts to a number but that are not finite decimal numbers, and some that are no numbers at all. */
const NO_NUMBERS = [
  'Infinity',
  '-Infinity',
  'NaN',
  '1e309',
  '-1e309',
  '1e9999',
  '0x10',
  '0b1',
  '0o7',
  ' ',
  ' 5',
  '\t',
  '+5',
  '.5',
  '5.',
  '1_0',
  '٣',
]

describe('a number', () => {
  it.each(numbersOf('query'))('of the query of %s is a finite decimal number: %s', async (_name, property, endpoint) => {
    for (const text of NO_NUMBERS) {
      const { status, body } = await send(endpoint, `${property}=${encodeURIComponent(text)}`)
      expect([text, status, body.code]).toEqual([text, 400, 'invalid_parameters'])
      expect(body.error_details).toContainEqual(expect.stringMatching(`^${property}: must be a (whole )?number`))
    }
  })

  it.each(numbersOf('body'))('of the form of %s is a finite decimal number: %s', async (_name, property, endpoint) => {
    for (const text of ['', ...NO_NUMBERS]) {
      const value = encodeURIComponent(text)
      for (const form of [`${property}=${value}`, `${property}[]=${value}`]) {
        const { status, body } = await send(endpoint, '', FORM, form)
        expect([form, status, body.code]).toEqual([form, 400, 'invalid_parameters'])
        expect(body.error_details).toContainEqual(expect.stringMatching(`^${property}(\\[0\\])?: must be a (whole )?number`))
      }
    }
  })

  const refusing = endpoints.filter(([, { body, numbers }]) => body !== undefined && numbers === undefined)
  it.each(refusing)('of the JSON of %s fits a double-precision number, in any field', async (_name, endpoint) => {
    for (const [json, field] of [
      ['{"a":[0,{"b":1e400}]}', 'a[1].b'],
      ['[{"allowed_tasks":9007199254740993}]', '[0].allowed_tasks'],
      ['-1e400', 'body'],
    ]) {
      const { status, body } = await send(endpoint, '', JSON_TYPE, json)
      expect([status, body.code]).toEqual([400, 'invalid_parameters'])
      expect(body.error_details).toContainEqual(`${field}: must be a number that a double-precision number holds exactly`)
    }
  })
})

/** Returns misspellings of a name: without its second character, with it twice, with the last two characters swapped, and in capitals. */
function misspellingsOf(name: string): string[] {
  const [last, beforeLast] = [name.at(-1), name.at(-2)]
  const twisted = last === beforeLast ? [] : [`${name.slice(0, -2)}${last}${beforeLast}`]
  return [`${name[0]}${name.slice(2)}`, `${name.slice(0, 2)}${name.slice(1)}`, ...twisted, name.toUpperCase()]
}

/** Parameters that clients, browsers and campaigns add to URLs. */
const FOREIGN_NAMES = [
  ...['_', 'a', 'q', 't', 'v', 'ts', 'id', 'ip', 'key', 'ref', 'sig', 'uid', 'date', 'time', 'hash', 'lang', 'page', 'sort'],
  ...['user', 'nonce', 'limit', 'state', 'token', 'fields', 'locale', 'offset', 'source', 'version', 'nocache', 'callback', 'timestamp'],
  ...['signature', 'request_id', 'api_version', 'access_token', 'utm_id', 'utm_term', 'utm_source', 'utm_medium', 'utm_campaign', 'gclid'],
  ...['per_page', 'order_by', 'expand', 'filter', 'next', 'after', 'before', 'start', 'end', 'to', 'from', 'by', 'ids', 'name', 'size'],
  // Credentials of area A, also on the endpoints of area B.
  ...['app_key', 'user_id'],
]

const parameters = endpoints.flatMap(([name, endpoint]) =>
  Object.keys(endpoint.query?.properties ?? {}).map((property) => [name, property, endpoint] as const),
)

describe('a name in the query', () => {
  const responseOf = async (endpoint: Endpoint, query: string): Promise<string[]> =>
    (await send(endpoint, query, JSON_TYPE)).body.error_details ?? []

  it.each(parameters)('of %s is refused if it is a misspelling: %s', async (_name, property, endpoint) => {
    for (const wrong of misspellingsOf(property)) {
      expect(await responseOf(endpoint, `${wrong}=x`)).toContain(`${wrong}: is not known here; did you mean ${property}?`)
      expect(await responseOf(endpoint, `${wrong}=`)).toEqual(await responseOf(endpoint, ''))
      const both = await responseOf(endpoint, `${wrong}=x&${property}=x`)
      expect(both).not.toContainEqual(expect.stringContaining(`did you mean ${property}?`))
    }
  })

  it.each(endpoints)('of %s is ignored if clients or browsers add it', async (_name, endpoint) => {
    const foreign = FOREIGN_NAMES.filter((name) => !Object.hasOwn(endpoint.query?.properties ?? {}, name))
    const bare = await send(endpoint, '', JSON_TYPE)
    const sent = await send(endpoint, foreign.map((name) => `${name}=x`).join('&'), JSON_TYPE)
    expect([sent.status, sent.body]).toEqual([bare.status, bare.body])
  })
})

const examples = endpoints.flatMap(([name, endpoint]) =>
  (endpoint.examples ?? []).map((example) => [name, example.summary, endpoint, example] as const),
)

describe('an example', () => {
  it.each(examples)('of %s is valid: %s', (_name, _summary, endpoint, { params = {}, query, body, response }) => {
    const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(params)).toEqual(names)
    expect(Object.keys(query ?? {}).filter((name) => !Object.hasOwn(endpoint.query?.properties ?? {}, name))).toEqual([])
    const problemsOf = (schema: contract.ObjectSchema | undefined, value: unknown) =>
      schema === undefined ? (value === undefined ? [] : ['is not expected']) : compileCheck(schema, 'strict')(structuredClone(value))
    if (endpoint.query !== undefined) expect(problemsOf(endpoint.query, query ?? {})).toEqual([])
    expect(problemsOf(endpoint.body, body)).toEqual([])
    expect(problemsOf(endpoint.response, response)).toEqual([])
  })
})

const log = openLog('test', 'silent')
const rateLimits = openRateLimits({ queueUrl: 'postgres:', queuePrefix: '', refused: { inc() {} }, log })
afterAll(() => rateLimits.close())

describe.each([
  [
    'public',
    () => publicApp({ trustedProxies: [], allowPlainHttp: true }, openRequestLog()).get('/things/:id', (_req, res) => void res.json({})),
  ],
  [
    'internal',
    () => {
      const routes = [{ endpoint: { ...READ, path: '/things/:id', access: { role: 'anyone' } as const }, handle: async () => ({}) }]
      const metrics = openMetrics('test')
      const parts = {
        context: {},
        routes,
        checkResponses: false,
        metrics,
        seconds: openRequestSeconds(metrics),
        checks: {},
        authenticate: ((_req, _res, next) => next()) as RequestHandler,
      }
      return internalApp({ ...parts, log })
    },
  ],
])('the %s app', (_name, open) => {
  let server: Listening
  beforeAll(async () => {
    server = await listen(open().use(sendErrors(openLog('test', 'silent'))), '127.0.0.1', 0)
  })
  afterAll(async () => await server.close(0))

  const head = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`

  it.each([
    'http://x:999999/things/1',
    'http://x/things/1',
    'https://user@x/things/1?a=b',
    'x:1/things/1',
    '*',
    'things/1',
    '?a=b',
    '/%',
    '/%zz',
    '/things/%c3%28',
    '/things/%ff',
    '/things/1?search=100%',
    '/things/1?search=%u0041',
    '/things/1?search=%ed%a0%80',
  ])('answers 400 to the target %s', async (target) => {
    const response = await sendRaw(server.url, head(target))
    expect(response).toMatch(/^HTTP\/1.1 400 /)
    if (response.includes('{')) expect(response).toContain('"code":"invalid_body"')
  })

  it.each(['/things/1', '/things/%E2%82%AC?search=%25', '/things/1?a=b?c', '/things/1?'])('accepts the target %s', async (target) => {
    expect(await sendRaw(server.url, head(target))).toMatch(/^HTTP\/1.1 200 /)
  })

  it('accepts 100 headers, and answers 400 to more', async () => {
    const headers = (count: number) => Array.from({ length: count - 2 }, (_, i) => `H${i}: x\r\n`).join('')
    expect(await sendRaw(server.url, head('/things/1', headers(100)))).toMatch(/^HTTP\/1.1 200 /)
    expect(await sendRaw(server.url, head('/things/1', headers(101)))).toContain('the request has more than 100 headers')
    expect(await sendRaw(server.url, head('/things/1', headers(1_000)))).toMatch(/^HTTP\/1.1 400 /)
  })

  it('answers 431 to headers of more than 16 KiB', async () => {
    expect(await sendRaw(server.url, head('/things/1', `A: ${'x'.repeat(17_000)}\r\n`))).toMatch(/^HTTP\/1.1 431 /)
  })
})

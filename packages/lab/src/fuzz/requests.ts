import type { EndpointShape, ObjectSchema } from '@onward/contract'
import * as fc from 'fast-check'
import { arbitraryOf, HOSTILE_TEXTS, type Known, type Schema } from './values.ts'

/** One HTTP request as it is written to the socket. */
export type RawRequest = {
  readonly endpoint: string
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly body: string
}

/** What requests are made from: endpoints, values that exist, and headers with valid credentials. */
export type Area = {
  readonly endpoints: readonly EndpointShape[]
  readonly known: Known
  /** Credentials as header lines, chosen at random. */
  readonly credentials: readonly (readonly string[])[]
}

/** The `endpoint` of requests that may reach any endpoint, or none. */
export const ANY_PATH = 'any path'

const rarely = (weight: number) => fc.oneof({ weight, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) })
const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }))

/** Generates requests to all endpoints of an area. Most are valid or nearly so; some have a broken body, path, header or method. */
export function requestsOf(area: Area): fc.Arbitrary<RawRequest> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...area.endpoints.map((each) => requestOf(each, area))) },
    { weight: 1, arbitrary: strangeRequest(area) },
  )
}

function requestOf(endpoint: EndpointShape, { known, credentials }: Area): fc.Arbitrary<RawRequest> {
  // Values that exist are not deleted, because the other requests need them.
  const usable = endpoint.method === 'delete' ? {} : known
  const schemaOf = (part: ObjectSchema | undefined) => part as Schema | undefined
  return fc
    .record({
      params: fc.record(
        Object.fromEntries(namesIn(endpoint.path).map((name) => [name, arbitraryOf({ type: 'string', minLength: 1 }, usable, name)])),
      ),
      query: arbitraryOf(schemaOf(endpoint.query) ?? { type: 'object' }, usable),
      body: arbitraryOf(schemaOf(endpoint.body) ?? { type: 'object' }, usable),
      form: rarely(6),
      rawPath: rarely(20),
      credentials: fc.constantFrom(...credentials),
      address: fc.ipV4(),
      damage: fc.oneof({ weight: 20, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: damage }),
      header: fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: strangeHeader.map((line) => [line]) }),
    })
    .map(({ params, query, body, form, rawPath, credentials: lines, address, damage: change, header }) => {
      const write = rawPath ? (text: string) => text.replace(/[\s\0]/g, '') : encodeText
      // An empty or unencoded value can make the path of another endpoint.
      const isSure = !rawPath && !Object.values(params).includes('')
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => write(textOf(params[name])))
      const text = endpoint.method === 'get' ? '' : form ? formOf(body) : JSON.stringify(body)
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
      return {
        endpoint: isSure ? `${endpoint.method} ${endpoint.path}` : ANY_PATH,
        method: endpoint.method.toUpperCase(),
        path: `${path}?${formOf(query)}`,
        headers: [...lines, `X-Forwarded-For: ${address}`, ...(text === '' ? [] : [`Content-Type: ${type}`]), ...header],
        body: change === undefined ? text : change(text),
      }
    })
}

const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  fc.nat().map((n) => (text: string) => text.slice(0, n % (text.length + 1))),
  fc.tuple(fc.nat(), hostileText).map(
    ([n, inserted]) =>
      (text: string) =>
        splice(text, n % (text.length + 1), inserted),
  ),
  fc.constant((text: string) => `\ufeff${text}`),
  fc.integer({ min: 1, max: 20_000 }).map((depth) => () => '['.repeat(depth)),
  fc.integer({ min: 1, max: 50_000 }).map((keys) => () => `{${Array.from({ length: keys }, (_, n) => `"k${n}":${n}`).join(',')}}`),
  fc.constant((text: string) => text.replaceAll(/-?\d+/g, '1e400')),
)

const strangeHeader = fc
  .tuple(
    fc.constantFrom(
      'Content-Type',
      'Content-Encoding',
      'Idempotency-Key',
      'Accept',
      'X-Forwarded-Proto',
      'X-Forwarded-For',
      'User-ID',
      'Hash',
      'App-Key',
      'api-key',
      'Authorization',
      'X-Request-ID',
      'Origin',
      'Expect',
      'Cookie',
    ),
    hostileText,
  )
  .map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, ' ')}`)

/** Generates requests with any method and path, also requests that are not HTTP. */
function strangeRequest({ credentials }: Area): fc.Arbitrary<RawRequest> {
  const segment = fc.oneof(
    fc.constantFrom('apps', 'functions', 'list', 'connect', 'callback', 'partners', 'api', 'admin', 'openapi.json', ''),
    hostileText,
  )
  return fc
    .record({
      method: fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'), hostileText),
      path: fc.oneof(
        fc.array(segment, { maxLength: 6 }).map((list) => `/${list.join('/')}`),
        hostileText,
        fc.constantFrom('http://x:999999/connect/callback?state=a', '*', 'a:b', '//', '/%', '/?%'),
      ),
      credentials: fc.constantFrom(...credentials),
      address: fc.ipV4(),
      body: hostileText,
    })
    .map(({ method, path, credentials: lines, address, body }) => ({
      endpoint: ANY_PATH,
      method,
      path,
      headers: [...lines, `X-Forwarded-For: ${address}`],
      body,
    }))
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Encodes a text for a URL. Incomplete characters, which have no encoding, become replacement characters. */
function encodeText(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

/** Writes an object as a form, or as a query: nested values in brackets. */
function formOf(value: unknown, name = ''): string {
  if (value === undefined) return ''
  if (typeof value !== 'object' || value === null) return `${name}=${encodeText(textOf(value))}`
  const fields = Object.entries(value).map(([key, each]) => formOf(each, name === '' ? encodeText(key) : `${name}[${encodeText(key)}]`))
  return fields.filter((field) => field !== '').join('&')
}

function splice(text: string, at: number, inserted: string): string {
  return text.slice(0, at) + inserted + text.slice(at)
}

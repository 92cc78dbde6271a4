import type { Received } from './connection.ts'
import { ApiConnectionError } from './errors.ts'

/** The response to a request, for callers who need more than its data. */
export type CompleteResponse<T> = {
  readonly data: T
  readonly response: Response
  readonly requestId: string | null
  /** The rate limits that the request counted against. */
  readonly rateLimits: readonly RateLimit[]
}

/** One rate limit, such as `user`: `remaining` of `limit` requests, for the next `resetSeconds`. */
export type RateLimit = {
  readonly name: string
  readonly limit: number | null
  readonly remaining: number | null
  readonly resetSeconds: number | null
}

/** A promise of the data of a response. `withResponse()` adds the status and the headers. */
export type ResponsePromise<T> = Promise<T> & {
  withResponse(): Promise<CompleteResponse<T>>
  /** The body can be read from it, although it was received completely. */
  asResponse(): Promise<Response>
}

/** Returns the promise of a method. `read` makes the data from the JSON body. */
export function responsePromise<T>(received: Promise<Received>, read: (body: unknown, received: Received) => T): ResponsePromise<T> {
  const data = received.then((one) => withRequestId(read(bodyOf(one), one), one.headers.get('x-request-id')))
  // A caller who uses only one of the methods below handles its failure there.
  const handled = <R>(promise: Promise<R>): Promise<R> => {
    data.catch(() => {})
    return promise
  }
  const responseOf = ({ text, status, headers }: Received) => new Response(text, { status, headers })
  return Object.assign(data, {
    asResponse: () => handled(received.then(responseOf)),
    withResponse: () =>
      handled(
        Promise.all([data, received]).then(([value, one]) => ({
          data: value,
          response: responseOf(one),
          requestId: one.headers.get('x-request-id'),
          rateLimits: rateLimitsOf(one.headers),
        })),
      ),
  })
}

function bodyOf({ data, attempts }: Received): unknown {
  if (data === undefined) throw new ApiConnectionError('the response is not JSON, so it is not from Onward', attempts)
  return data
}

/** Adds `_requestId` to an object, invisible for loops and JSON. */
function withRequestId<T>(value: T, requestId: string | null): T {
  if (typeof value === 'object' && value !== null) Object.defineProperty(value, '_requestId', { value: requestId, enumerable: false })
  return value
}

/** Reads the fields `RateLimit` and `RateLimit-Policy` of the IETF draft, such as `"user";r=1187;t=24` and `"user";q=1200;w=60`. */
function rateLimitsOf(headers: Headers): RateLimit[] {
  const limits = membersOf(headers.get('ratelimit-policy'))
  return [...membersOf(headers.get('ratelimit'))].map(([name, { r, t }]) => ({
    name,
    limit: limits.get(name)?.q ?? null,
    remaining: r ?? null,
    resetSeconds: t ?? null,
  }))
}

function membersOf(header: string | null): Map<string, Readonly<Record<string, number>>> {
  const members = (header ?? '').matchAll(/"([^"]+)"((?:;[a-z]+=\d+)*)/g)
  return new Map([...members].map(([, name = '', parameters = '']) => [name, parametersOf(parameters)]))
}

function parametersOf(text: string): Readonly<Record<string, number>> {
  return Object.fromEntries([...text.matchAll(/;([a-z]+)=(\d+)/g)].map(([, key = '', value]) => [key, Number(value)]))
}

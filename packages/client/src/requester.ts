import { type Connection, REQUEST_OPTIONS, type Received, type RequestOptions, type WireRequest } from './connection.ts'
import { List } from './list.ts'
import { known, type Names } from './options.ts'
import { type ResponsePromise, responsePromise } from './response.ts'

/** What the classes of the API use to send requests. */
export type Requester = {
  readonly maxRetries: number
  /** Sends a request and returns the body of the response, or what `read` makes of it. */
  request<T>(request: WireRequest, options: RequestOptions, read?: (body: unknown, received: Received) => T): ResponsePromise<T>
  /** Returns a list whose pages `requestOf` describes. `field` is the property of the body that holds the items. */
  list<T>(field: string, requestOf: (cursor: string | undefined) => WireRequest, options: ListOptions): List<T>
}

/** Options of a list. `pageSize` is the number of items that one request fetches. */
export type ListOptions = RequestOptions & {
  readonly pageSize?: number
  /** Begin at this page. It is the `cursor` of an earlier page. */
  readonly cursor?: string
}

export const LIST_OPTIONS: Names<ListOptions> = { ...REQUEST_OPTIONS, pageSize: true, cursor: true }

export function makeRequester(connection: Connection): Requester {
  const request: Requester['request'] = (wire, options, read = (body) => body as never) =>
    responsePromise(connection.send(wire, known(options, REQUEST_OPTIONS)), read)
  return {
    maxRetries: connection.maxRetries,
    request,
    list(field, requestOf, options) {
      const { cursor: from, pageSize: _, ...rest } = known(options, LIST_OPTIONS)
      return new List(async (cursor) => {
        const body = await request<Readonly<Record<string, unknown>>>(requestOf(cursor), rest)
        return { items: (body[field] ?? []) as never[], cursor: (body._cursor ?? null) as string | null }
      }, from)
    },
  }
}

/** Returns a value as one segment of a path. Throws a TypeError for a segment that URL libraries would remove. */
export function segment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') throw new TypeError(`${name} must not be empty, . or ..`)
  return encodeURIComponent(value)
}

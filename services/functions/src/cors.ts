import type { Request, RequestHandler, Response } from 'express'
import { selectOrigins } from './db/applications.ts'
import type { Db } from './db/tables.ts'

const METHODS = 'GET, POST, PATCH, DELETE'
/** The headers of our clients, and of the published browser client. */
const REQUEST_HEADERS = [
  ...['App-Key', 'User-ID', 'Hash', 'app_key', 'user_id', 'hash', 'Content-Type', 'Accept-Language'],
  ...['Idempotency-Key', 'X-Request-ID', 'Version', 'built-in-function-id'],
].join(', ')
const RESPONSE_HEADERS = 'X-Request-ID, X-Call-ID, Idempotency-Replayed, Retry-After, RateLimit, RateLimit-Policy'
/** How long a browser remembers the response to a preflight request, in seconds. */
const MAX_AGE = '600'

/** Origins are read again after this time, so that a flood of preflight requests does not become a flood of queries. */
const STALE_MS = 5_000

/**
 * Answers preflight requests, which browsers send without credentials. Allows an origin of the application whose `app_key` is in the query.
 * Without one, allows an origin of any application; the response to the request itself then decides.
 */
export function respondToPreflights(db: Db): RequestHandler {
  const readOrigins = cached(() => selectOrigins(db))
  return async (req, res, next) => {
    const { origin, 'access-control-request-method': method } = req.headers
    if (req.method !== 'OPTIONS' || origin === undefined || method === undefined) return next()
    const appKeys = (await readOrigins()).get(origin)
    const { app_key: appKey } = req.query
    res.vary('Origin')
    if (appKeys !== undefined && (typeof appKey !== 'string' || appKeys.has(appKey))) {
      res.set('Access-Control-Allow-Origin', origin)
      res.set('Access-Control-Allow-Methods', METHODS)
      res.set('Access-Control-Allow-Headers', REQUEST_HEADERS)
      res.set('Access-Control-Max-Age', MAX_AGE)
    }
    res.status(204).end()
  }
}

/** Lets a page of an allowed origin read the response. Requests of servers have no `Origin`. */
export function allowOrigin(req: Request, res: Response, allowedOrigins: readonly string[]): void {
  const { origin } = req.headers
  if (origin === undefined) return
  res.vary('Origin')
  if (!allowedOrigins.includes(origin)) return
  res.set('Access-Control-Allow-Origin', origin)
  res.set('Access-Control-Expose-Headers', RESPONSE_HEADERS)
}

/** Returns a function that reads a value again when it is stale or could not be read. */
function cached<T>(read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  let readAt = 0
  return () => {
    if (value === undefined || Date.now() - readAt > STALE_MS) {
      readAt = Date.now()
      const reading = read()
      value = reading
      reading.catch(() => {
        if (value === reading) value = undefined
      })
    }
    return value
  }
}

import type { ErrorCode } from '@onward/contract'
import type { RequestHandler, Response } from 'express'
import type { Log } from '../log.ts'
import { Histogram, type Metrics } from '../metrics.ts'
import type { Endpoints } from './endpoints.ts'
import { requestIdOf } from './request-id.ts'

/** Who sent a request, for its log line. */
export type Sender = { readonly app_key?: string; readonly workspace?: string; readonly user?: string; readonly actor?: string }

export type RequestLog = {
  readonly log: Log
  readonly seconds: RequestSeconds
  readonly endpoints: Endpoints
  /** Returns who sent the request; `{}` before it is authenticated. */
  readonly senderOf: (res: Response) => Sender
  /** Routes that monitoring requests every few seconds. Their lines have the level debug. */
  readonly probes?: readonly string[]
}

export type RequestSeconds = Histogram<'method' | 'route' | 'status'>

/** Registers the histogram of all requests of a service. */
export function openRequestSeconds(registry: Metrics): RequestSeconds {
  return new Histogram({
    name: 'onward_http_request_seconds',
    help: 'Duration of requests by method, route and status. Route: the path as in the API reference; unmatched for any other path.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
}

/** Remembers the code of an error for the log line of its request. */
export function noteError(res: Response, code: ErrorCode): void {
  res.locals.errorCode = code
}

/**
 * Writes one log line for each request when it has ended, and measures its duration. The line has the route, but neither the path nor the
 * query, which can hold credentials and personal data. A status of 499 means that the caller closed the connection before the response.
 */
export function logRequests({ log, seconds, endpoints, senderOf, probes = [] }: RequestLog): RequestHandler {
  // No field of these lines holds credentials, so they need no masking.
  const unmasked = log.child({}, { redact: [] })
  return (req, res, next) => {
    const startedAt = performance.now()
    // A handler may change the method of the request.
    const { method } = req
    const route = endpoints.nameOf(method, req.path)
    res.once('close', () => {
      const status = res.headersSent ? res.statusCode : 499
      const durationMs = performance.now() - startedAt
      seconds.observe({ method, route, status: String(status) }, durationMs / 1_000)
      const { errorCode } = res.locals
      const callId = res.getHeader('X-Call-ID')
      const line = {
        request_id: requestIdOf(res),
        method,
        route,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        ...senderOf(res),
        ...(errorCode === undefined ? {} : { code: errorCode }),
        ...(callId === undefined ? {} : { call_id: callId }),
      }
      if (probes.includes(route)) unmasked.debug(line, 'request')
      else unmasked.info(line, 'request')
    })
    next()
  }
}

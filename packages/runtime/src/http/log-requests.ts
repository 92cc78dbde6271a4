import type { ErrorCode } from '@onward/contract'
import type { RequestHandler, Response } from 'express'
import { type Log, traceOf } from '../log.ts'
import { Histogram, type Metrics } from '../metrics.ts'
import type { Span, Tracing } from '../tracing.ts'
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
  /** Begins a span for each request, as a part of the caller's trace if it has a header `traceparent`. */
  readonly tracing?: Tracing | undefined
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
export function logRequests({ log, seconds, endpoints, senderOf, probes = [], tracing }: RequestLog): RequestHandler {
  // No field of these lines holds credentials, so they need no masking.
  const unmasked = log.child({}, { redact: [] })
  return (req, res, next) => {
    const startedAt = performance.now()
    // A handler may change the method of the request.
    const { method } = req
    const route = endpoints.nameOf(method, req.path)
    const parent = tracing && textOf(req.headers.traceparent)
    const span = tracing?.start(`${method} ${route}`, { kind: 'server', parent })
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
        ...traceOf(span),
      }
      if (span !== undefined) endSpan(span, line)
      if (probes.includes(route)) unmasked.debug(line, 'request')
      else unmasked.info(line, 'request')
    })
    if (tracing === undefined || span === undefined) next()
    else tracing.run(span, next)
  }
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

type Line = Sender & {
  readonly request_id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code?: ErrorCode
  readonly call_id?: unknown
}

/** Ends the span of a request, with the fields of its log line. */
function endSpan(span: Span, { request_id, method, route, status, code, call_id, app_key, workspace }: Line): void {
  span.set({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'onward.request_id': request_id,
    'onward.call_id': call_id === undefined ? undefined : String(call_id),
    'onward.application': app_key,
    'onward.workspace': workspace,
    'error.type': code,
  })
  if (status >= 500) span.fail(code ?? String(status))
  span.end()
}

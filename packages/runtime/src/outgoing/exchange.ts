import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { codeOf } from '../error-code.ts'
import type { Share } from '../shares.ts'
import { BlockedAddressError } from './address.ts'

/**
 * Why there is no complete response. `blocked`: the address guard refused to connect. `unreachable`: no connection (DNS, refused, TLS).
 * `timed_out`: the deadline passed. `broken`: the connection broke or the response was not HTTP. `too_large`: the response exceeds the maximum.
 * `no_room`: the tenant's share of memory has no room for the response.
 */
export type FailureKind = 'blocked' | 'unreachable' | 'timed_out' | 'broken' | 'too_large' | 'no_room'

export type Failure = {
  readonly kind: FailureKind
  /** Whether any byte of the request may have reached the other side. */
  readonly sent: boolean
  /** Whether the outgoing proxy is at fault: `unreachable`. */
  readonly proxy?: true
  /** When to retry, in ms: the request was not sent, because the host did not answer earlier ones. */
  readonly retryAfterMs?: number | undefined
  /** How many bytes the response takes at least, beside what its share holds: `no_room`. */
  readonly room?: number | undefined
}

/** A request that got no usable response. */
export class OutgoingError extends Error {
  readonly failure: Failure
  /** The code of the cause, such as ECONNREFUSED. */
  readonly code: string | undefined

  constructor(cause: unknown, sent: boolean, kind: FailureKind = kindOf(cause, sent), more: Pick<Failure, 'retryAfterMs' | 'room'> = {}) {
    super(Object(cause).message)
    this.code = codeOf(cause)
    this.failure = { kind, sent, ...(this.code === 'EPROXY' && { proxy: true }), ...more }
  }
}

function kindOf(cause: unknown, sent: boolean): FailureKind {
  if (cause instanceof BlockedAddressError) return 'blocked'
  if (Object(cause).name === 'TimeoutError') return 'timed_out'
  return sent ? 'broken' : 'unreachable'
}

/** Returns the failure of a request that one of our clients made; undefined for any other error, which is a bug. */
export function failureOf(err: unknown): Failure | undefined {
  return err instanceof OutgoingError ? err.failure : undefined
}

export type ExchangeRequest = {
  readonly url: string | URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  /** Deadline for connecting, sending and the whole response. */
  readonly timeoutMs: number
  /** Maximum number of bytes of the response that are read. */
  readonly maxResponseBytes: number
  readonly signal?: AbortSignal | undefined
  /** The share of memory in which the response counts. */
  readonly memory?: Share | undefined
}

export type ExchangeResponse = {
  readonly status: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as they arrived, perhaps compressed. */
  readonly body: Buffer
  /** How much memory the body takes, in bytes. */
  readonly allocated: number
  /** Whether the response was longer than `maxResponseBytes` and `body` holds only its beginning. */
  readonly cut: boolean
}

/** Returns whether a status is 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

/** A response of unknown length is first read into a buffer of this size, in bytes, which then doubles. */
const FIRST_BUFFER = 8_192
/** The first bytes of a response do not count. The service counts a fixed number of bytes for each request, which includes them. */
const UNCOUNTED = 16_384

/** Sends one request and reads its response, whatever the status. Follows no redirects. Rejects only with an OutgoingError. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeResponse> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, maxResponseBytes, signal, memory } = request
    let controller: Dispatcher.DispatchController | undefined
    let head: Pick<ExchangeResponse, 'status' | 'statusText' | 'headers'> = { status: 0, statusText: '', headers: {} }
    // Chunks are copied into one buffer. A list of them would take far more memory than the response: a server can send it byte by byte.
    let buffer = Buffer.alloc(0)
    let counted = 0
    let size = 0
    let sent = false
    let settled = false

    // A process that resumes after a suspension runs its timers before it reads the responses that have arrived meanwhile. Such a response can
    // hold the only refresh token of an account. `setImmediate` runs after that reading.
    const timer = setTimeout(() => setImmediate(onDeadline), timeoutMs)
    const onAbort = () => abort(signal?.reason)
    signal?.addEventListener('abort', onAbort)

    function end(settle: () => void): void {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    function fail(cause: unknown, kind?: FailureKind, room?: number): void {
      end(() => {
        memory?.give(counted)
        reject(new OutgoingError(cause, sent, kind, { room }))
      })
    }
    function onDeadline(): void {
      if (!settled) abort(new DOMException(`no complete response within ${timeoutMs} ms`, 'TimeoutError'))
    }
    function abort(reason: Error, kind?: FailureKind, room?: number): void {
      fail(reason, kind, room)
      controller?.abort(reason)
    }
    /** Makes room for a response of this many bytes. Ends the exchange and returns false if there is none. */
    function grow(bytes: number): boolean {
      const more = Math.max(0, bytes - UNCOUNTED) - counted
      if (more > 0) {
        // The response is not paused until there is room: undici 7.30 throws an uncaught error when a paused connection is reset.
        if (memory?.take(more) === false) {
          abort(new Error("the tenant's share of memory has no room for the response"), 'no_room', counted + more)
          return false
        }
        counted += more
      }
      const grown = Buffer.allocUnsafe(bytes)
      buffer.copy(grown, 0, 0, size)
      buffer = grown
      return true
    }
    function resolveWith(cut: boolean): void {
      const { status, statusText, headers } = head
      end(() => resolve({ status, statusText, headers, body: buffer.subarray(0, size), allocated: buffer.length, cut }))
    }

    if (signal?.aborted === true) return onAbort()
    try {
      const { origin, pathname, search } = typeof request.url === 'string' ? new URL(request.url) : request.url
      const { headers, body = null } = request
      const method = request.method as Dispatcher.HttpMethod
      dispatcher.dispatch(
        { origin, path: pathname + search, method, headers, body },
        {
          onRequestStart(started) {
            controller = started
            // If the deadline passed while connecting, nothing has been written yet.
            if (settled) started.abort(new Error('the request was aborted'))
            else sent = true
          },
          onResponseStart(_, status, answered, statusText = '') {
            head = { status, statusText, headers: answered }
            const length = Number(answered['content-length'])
            if (length > 0) grow(Math.min(length, maxResponseBytes))
          },
          onResponseData(_, chunk) {
            if (settled) return
            const wanted = size + chunk.length
            if (wanted > buffer.length && buffer.length < maxResponseBytes) {
              if (!grow(Math.min(Math.max(wanted, 2 * buffer.length, FIRST_BUFFER), maxResponseBytes))) return
            }
            size += chunk.copy(buffer, size)
            if (wanted <= maxResponseBytes) return
            resolveWith(true)
            controller?.abort(new Error('the rest of the response is not read'))
          },
          onResponseEnd() {
            resolveWith(false)
          },
          onResponseError(_, err) {
            fail(err)
          },
        },
      )
    } catch (err) {
      fail(err)
    }
  })
}

/** Some apps send a Unix time, in seconds or ms, where a number of seconds belongs. No app asks to wait for 31 years. */
const MIN_TIME = 1_000_000_000
const MAX_TIME = 8_640_000_000_000_000

/**
 * Returns the delay that a `Retry-After` header (RFC 9110, 10.2.3) asks for, in ms. Returns undefined when it is neither a number of seconds,
 * nor a date of HTTP or ISO 8601, nor a Unix time. A date without a time zone is read as GMT. Of several numbers, the largest counts.
 */
export function parseRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim()
  const numbers = text.split(/\s*,\s*/)
  if (numbers.every((number) => /^\d+(\.\d+)?$/.test(number))) {
    const value = Math.max(...numbers.map(Number))
    if (value < MIN_TIME) return value * 1_000
    const time = value < MIN_TIME * 1_000 ? value * 1_000 : value
    return time <= MAX_TIME ? Math.max(0, time - now) : undefined
  }
  const isIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)
  // `Date.parse` accepts many texts that are not dates; an HTTP date begins with a weekday.
  if (!isIso && !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const date = Date.parse(/GMT|UTC|Z$|[+-]\d{2}:?\d{2}$/.test(text) ? text : isIso ? `${text}Z` : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

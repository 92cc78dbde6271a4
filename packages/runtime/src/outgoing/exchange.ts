import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { codeOf } from '../error-code.ts'
import { BlockedAddressError } from './address.ts'

/**
 * Why there is no complete answer. `blocked`: the address guard refused to connect. `unreachable`: no connection (DNS, refused, TLS).
 * `timed_out`: the deadline passed. `broken`: the connection broke or the answer was not HTTP. `too_large`: the answer exceeds the maximum.
 */
export type FailureKind = 'blocked' | 'unreachable' | 'timed_out' | 'broken' | 'too_large'

export type Failure = {
  readonly kind: FailureKind
  /** Whether any byte of the request may have reached the other side. */
  readonly sent: boolean
}

/** A request that got no usable answer. */
export class OutgoingError extends Error {
  readonly failure: Failure
  /** The code of the cause, such as ECONNREFUSED. */
  readonly code: string | undefined

  constructor(cause: unknown, sent: boolean, kind: FailureKind = kindOf(cause, sent)) {
    super(Object(cause).message)
    this.failure = { kind, sent }
    this.code = codeOf(cause)
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
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer | undefined
  /** Deadline for connecting, sending and the whole answer. */
  readonly timeoutMs: number
  /** Maximum number of bytes of the answer that are read. */
  readonly maxAnswerBytes: number
  readonly signal?: AbortSignal | undefined
}

export type ExchangeAnswer = {
  readonly status: number
  readonly statusText: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as they arrived, perhaps compressed. */
  readonly body: Buffer
  /** Whether the answer was longer than `maxAnswerBytes` and `body` holds only its beginning. */
  readonly cut: boolean
}

/** Sends one request and reads its answer, whatever the status. Follows no redirects. Rejects only with an OutgoingError. */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, maxAnswerBytes, signal } = request
    let controller: Dispatcher.DispatchController | undefined
    let head: Pick<ExchangeAnswer, 'status' | 'statusText' | 'headers'> = { status: 0, statusText: '', headers: {} }
    const chunks: Buffer[] = []
    let size = 0
    let sent = false
    let settled = false

    const timer = setTimeout(() => abort(new DOMException(`no complete answer within ${timeoutMs} ms`, 'TimeoutError')), timeoutMs)
    const onAbort = () => abort(signal?.reason)
    signal?.addEventListener('abort', onAbort)

    function end(settle: () => void): void {
      if (settled) return
      settled = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    function fail(cause: unknown): void {
      end(() => reject(new OutgoingError(cause, sent)))
    }
    function abort(reason: Error): void {
      fail(reason)
      controller?.abort(reason)
    }

    if (signal?.aborted === true) return onAbort()
    try {
      const { origin, pathname, search } = new URL(request.url)
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
          },
          onResponseData(_, chunk) {
            const room = maxAnswerBytes - size
            chunks.push(chunk.subarray(0, room))
            size += chunk.length
            if (chunk.length <= room) return
            end(() => resolve({ ...head, body: Buffer.concat(chunks), cut: true }))
            controller?.abort(new Error('the rest of the answer is not read'))
          },
          onResponseEnd() {
            end(() => resolve({ ...head, body: Buffer.concat(chunks), cut: false }))
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

/**
 * Returns the delay that a `Retry-After` header (RFC 9110, 10.2.3) asks for, in ms. Returns undefined when it is neither a number of seconds
 * nor an HTTP date. A date without a time zone is read as GMT.
 */
export function parseRetryAfter(header: string, now: number): number | undefined {
  const text = header.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000
  // `Date.parse` accepts many texts that are not dates; an HTTP date begins with a weekday.
  if (!/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const date = Date.parse(/GMT|UTC|[+-]\d{4}/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

import { ApiConnectionError, ApiError, ApiTimeoutError, apiErrorOf, RequestAbortedError } from './errors.ts'
import { withFiles } from './files.ts'
import { type LargeNumbers, readJson, writeJson } from './json.ts'
import { type Logger, type LogLevel, logTo } from './log.ts'
import type { Names } from './options.ts'
import { MAX_RETRY_AFTER_SECONDS, mayRetry, pauseMs } from './retry.ts'
import { userAgent } from './user-agent.ts'

/** Options of every client. Times are in milliseconds. */
export type ConnectionOptions = {
  /** The time for one attempt: 60,000 by default, which is longer than Onward waits for an app. */
  readonly timeout?: number
  /** The time for all attempts of a request together, with the pauses between them. No limit by default. */
  readonly totalTimeout?: number
  /** How often a failed request is repeated, if that is safe. 2 by default; 0 turns retries off. */
  readonly maxRetries?: number
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** What becomes of a number in a response that a JavaScript number cannot hold exactly. Its digits as `text` by default. */
  readonly largeNumbers?: LargeNumbers
  /** Replaces the built-in `fetch`. */
  readonly fetch?: typeof fetch
  /** The name of your program, for the `User-Agent`. */
  readonly appName?: string
  /** Receives log lines. They contain no credentials and no bodies. The default is `console`. */
  readonly logger?: Logger
  /** `off` by default. */
  readonly logLevel?: LogLevel
  /** Called before each attempt. */
  readonly onRequest?: (event: RequestEvent) => void
  /** Called after each attempt that was answered. */
  readonly onResponse?: (event: ResponseEvent) => void
}

export type RequestEvent = { readonly method: string; readonly url: string; readonly attempt: number }
export type ResponseEvent = RequestEvent & { readonly status: number; readonly requestId: string | null; readonly durationMs: number }

/** Options of one request. They take precedence over the options of the client. */
export type RequestOptions = Pick<ConnectionOptions, 'timeout' | 'totalTimeout' | 'maxRetries' | 'headers'> & {
  /** Ends the request, and with it all further attempts, with a `RequestAbortedError`. */
  readonly signal?: AbortSignal
}

export const CONNECTION_OPTIONS: Names<ConnectionOptions> = {
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
  largeNumbers: true,
  fetch: true,
  appName: true,
  logger: true,
  logLevel: true,
  onRequest: true,
  onResponse: true,
}

export const REQUEST_OPTIONS: Names<RequestOptions> = { timeout: true, totalTimeout: true, maxRetries: true, headers: true, signal: true }

export type WireRequest = {
  readonly method: string
  /** With encoded variables. */
  readonly path: string
  /** `undefined` and `null` are left out. */
  readonly query?: Readonly<Record<string, unknown>>
  /** Sent as JSON, with files as `withFiles` writes them. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the request may be sent again when Onward may have executed it already. */
  readonly repeatable: boolean
}

/** A complete response with a 2xx status. `data` is the value of its body; undefined if that is not JSON. */
export type Received = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly data: unknown
  readonly attempts: number
}

export type Connection = {
  readonly maxRetries: number
  /** Sends a request until it is answered with a 2xx status, or cannot be retried. Throws an error of this package. */
  send(request: WireRequest, options: RequestOptions): Promise<Received>
}

const DEFAULT_TIMEOUT_MS = 60_000
const DEFAULT_MAX_RETRIES = 2

/** Opens a connection to one area. `credentials` returns the headers that authenticate a request. */
export function openConnection(
  baseUrl: string,
  options: ConnectionOptions,
  credentials: () => Promise<Readonly<Record<string, string>>>,
): Connection {
  const base = readBaseUrl(baseUrl)
  const log = logTo(options.logger, options.logLevel)
  const agent = userAgent(options.appName)
  const maxRetries = options.maxRetries ?? DEFAULT_MAX_RETRIES
  const largeNumbers = options.largeNumbers ?? 'text'

  async function send(request: WireRequest, given: RequestOptions): Promise<Received> {
    const retries = given.maxRetries ?? maxRetries
    const totalTimeout = given.totalTimeout ?? options.totalTimeout
    const body = request.body === undefined ? undefined : writeJson(await withFiles(request.body))
    const endAt = totalTimeout === undefined ? Number.POSITIVE_INFINITY : Date.now() + totalTimeout
    for (let attempt = 1; ; attempt++) {
      const timeLeft = endAt - Date.now()
      const timeout = Math.min(given.timeout ?? options.timeout ?? DEFAULT_TIMEOUT_MS, timeLeft)
      try {
        return await sendOnce(request, body, given, attempt, timeout)
      } catch (err) {
        const failure = err as ApiError | ApiConnectionError | RequestAbortedError
        if (failure instanceof RequestAbortedError || attempt > retries || !mayRetry(failure, request.repeatable)) throw failure
        const retryAfter = failure instanceof ApiError ? failure.retryAfter : null
        const pause = pauseMs(attempt, retryAfter)
        if ((retryAfter ?? 0) > MAX_RETRY_AFTER_SECONDS || Date.now() + pause >= endAt) throw failure
        log('info', `${request.method} ${request.path} failed: ${failure.message}; trying again in ${Math.round(pause)} ms`)
        await pauseFor(pause, given.signal)
      }
    }
  }

  async function sendOnce(
    request: WireRequest,
    body: string | undefined,
    given: RequestOptions,
    attempt: number,
    timeout: number,
  ): Promise<Received> {
    const url = base + request.path + queryOf(request.query)
    const headers = {
      Accept: 'application/json',
      'User-Agent': agent,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
      ...request.headers,
      ...given.headers,
      ...(await credentials()),
    }
    const deadline = openDeadline(timeout, given.signal)
    const startedAt = Date.now()
    // The query may hold personal data, so neither a log line nor an event has it.
    const event = { method: request.method, url: base + request.path, attempt }
    options.onRequest?.(event)
    try {
      deadline.signal.throwIfAborted()
      const response = await (options.fetch ?? fetch)(url, {
        method: request.method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        signal: deadline.signal,
      })
      // A browser does not tell where a redirect leads. The credentials must not follow it.
      if (response.type === 'opaqueredirect')
        throw new ApiConnectionError('the server answered with a redirect, so it is not Onward', attempt)
      const text = await response.text()
      const { status, headers: answered } = response
      const durationMs = Date.now() - startedAt
      options.onResponse?.({ ...event, status, requestId: answered.get('x-request-id'), durationMs })
      log('debug', `${request.method} ${request.path} answered ${status} in ${durationMs} ms, attempt ${attempt}`)
      if (response.ok) return { status, headers: answered, text, data: readJson(text, largeNumbers), attempts: attempt }
      throw apiErrorOf({ status, headers: answered, body: readJson(text, largeNumbers) ?? text, attempts: attempt })
    } catch (err) {
      throw err instanceof ApiError || err instanceof ApiConnectionError ? err : failureOf(err, deadline, attempt, timeout, base)
    } finally {
      deadline.close()
    }
  }

  return { maxRetries, send }
}

type Deadline = {
  readonly signal: AbortSignal
  readonly isOver: () => boolean
  readonly isAborted: () => boolean
  readonly close: () => void
}

/** Aborts `signal` after a time, or when the caller's own signal is aborted. */
function openDeadline(timeout: number, own: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(own?.reason)
  const timer = setTimeout(
    () => {
      isOver = true
      controller.abort()
    },
    Math.max(0, timeout),
  )
  own?.addEventListener('abort', abort, { once: true })
  if (own?.aborted) abort()
  return {
    signal: controller.signal,
    isOver: () => isOver,
    isAborted: () => own?.aborted ?? false,
    close() {
      clearTimeout(timer)
      own?.removeEventListener('abort', abort)
    },
  }
}

function failureOf(
  err: unknown,
  deadline: Deadline,
  attempts: number,
  timeout: number,
  base: string,
): ApiConnectionError | RequestAbortedError {
  if (deadline.isAborted()) return new RequestAbortedError('the request was aborted', { cause: err })
  if (deadline.isOver()) return new ApiTimeoutError(`Onward did not answer within ${Math.round(timeout)} ms`, attempts, err)
  const cause = err instanceof Error && err.cause instanceof Error ? err.cause : err
  const reason = cause instanceof Error ? cause.message : String(cause)
  // What OpenSSL says when the server speaks plain HTTP.
  const shown = /wrong version number|packet length too long/i.test(reason) ? 'the server does not use TLS; is it http://?' : reason
  return new ApiConnectionError(`Onward could not be reached at ${base}: ${shown}`, attempts, err)
}

/** Waits. Throws a RequestAbortedError when `signal` is aborted. */
export async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new RequestAbortedError('the request was aborted', { cause: signal?.reason }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
  })
}

function readBaseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new TypeError(`baseUrl must be an http or https URL, not ${JSON.stringify(text)}`)
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`baseUrl must be an http or https URL, not ${JSON.stringify(text)}`)
  if (url.username || url.password || url.search || url.hash) throw new TypeError('baseUrl must not contain a user name, query or fragment')
  return url.href.replace(/\/+$/, '')
}

function queryOf(query: Readonly<Record<string, unknown>> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

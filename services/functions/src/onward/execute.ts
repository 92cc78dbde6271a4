import { setTimeout as sleep } from 'node:timers/promises'
import type { AppFunction, BuiltRequest, Credentials, OnwardRequest } from '@onward/catalog'
import {
  type Failure,
  failureOf,
  inSpan,
  type OutgoingClient,
  type OutgoingRequest,
  type OutgoingResponse,
  type Reach,
  type Share,
  type Span,
  type Tracing,
  type Turns,
} from '@onward/runtime'
import { refusesCredentials } from './app-errors.ts'
import type { OpenAccount } from './credentials.ts'
import { renewCredentials } from './fresh-credentials.ts'
import { type ResponseBody, readResponseBody } from './read-response.ts'
import { type Redactor, redactor } from './redact.ts'
import { MAX_REDIRECTS, redirectTarget } from './redirect.ts'
import type { RenewalParts } from './renew-token.ts'
import { type ResponseHeaders, retryAfterMs } from './retry-after.ts'
import { type Sandbox, sandboxed } from './sandbox.ts'

/** The largest body of an onward request. Only requests with files come near it. */
export const MAX_BODY_BYTES = 12 * 1_048_576

class Answered {
  readonly kind = 'answered'
  /** The URL of the request; null if a redirect led to another host, which received no credentials. */
  readonly url: string | null
  readonly status: number
  readonly headers: ResponseHeaders
  readonly content: ResponseBody

  constructor(url: string | null, status: number, headers: ResponseHeaders, content: ResponseBody) {
    this.url = url
    this.status = status
    this.headers = headers
    this.content = content
  }

  get body(): unknown {
    return this.content.value
  }
}
export type Executed = Answered | { readonly kind: 'failed'; readonly failure: Failure }

/** How onward calls are made. */
export type Onward = {
  readonly client: OutgoingClient
  readonly turns: Turns
  readonly reach: Reach
  readonly sandbox: Sandbox | undefined
  readonly tracing: Tracing | undefined
}

type Draft = {
  readonly request: OnwardRequest
  /** Builds the request again with other credentials. */
  build(credentials: Credentials): BuiltRequest
  /** The share of memory that the responses count in. */
  readonly memory: Share
}

type ExecutedAs = {
  readonly executed: Executed
  /** The account with the credentials that were sent last; null when the app needs no account. */
  readonly used: OpenAccount | null
  /** Redacts all secrets that were sent. */
  readonly redact: Redactor
}

/** Delays before a request is retried because no connection could be opened, in ms. */
const CONNECT_DELAYS_MS = [100, 400]
/** Maximum number of retries of any kind. */
const MAX_RETRIES = CONNECT_DELAYS_MS.length
const MAX_RETRY_AFTER_MS = 5_000
/** The headers of a request to another host, to which the app has redirected. They contain no credentials. */
const ELSEWHERE = { accept: '*/*' }

/**
 * Executes an onward call with an account's credentials. When the app refuses the token and it can be renewed, the call is sent a second
 * time with the new token. This is safe for functions with side effects too: a request whose credentials were refused had no effect.
 */
export async function executeAs(
  parts: RenewalParts & { readonly onward: Onward },
  fn: AppFunction,
  opened: OpenAccount | null,
  draft: Draft,
  timeoutMs: number,
): Promise<ExecutedAs> {
  const { onward } = parts
  const deadline = Date.now() + timeoutMs
  const redact = redactor(fn.app, opened?.credentials ?? {})
  const { memory } = draft
  const first = await execute(onward, fn, { request: draft.request, memory }, redact, timeoutMs)
  const executedFirst = { executed: first, used: opened, redact }
  if (opened === null || first.kind === 'failed' || !refusesCredentials(fn, first)) return executedFirst

  const renewed = await renewCredentials(parts, opened, fn, deadline)
  if (renewed === undefined) return executedFirst
  const built = draft.build(renewed.credentials)
  if ('problems' in built) return executedFirst
  const redactBoth = redactor(fn.app, opened.credentials, renewed.credentials)
  const second = await execute(onward, fn, { request: built.request, memory }, redactBoth, Math.max(1, deadline - Date.now()))
  // If the second request was not sent, return the first response.
  if (second.kind === 'failed' && !second.failure.sent) return { ...executedFirst, redact: redactBoth }
  return { executed: second, used: renewed, redact: redactBoth }
}

/**
 * Sends an onward request. Retries it within the deadline in two cases, in which no effect can happen twice:
 * - no connection could be opened
 * - the function is safe to retry, and the app asks for a retry soon (see `retryAfterMs`)
 */
export async function execute(
  onward: Onward,
  fn: AppFunction,
  { request, memory }: Pick<Draft, 'request' | 'memory'>,
  redact: Redactor,
  timeoutMs: number,
): Promise<Executed> {
  const deadline = Date.now() + timeoutMs
  const { method, url, headers: requestHeaders } = request
  const content = bytesOf(request.body)
  const target = sandboxed(onward.sandbox, memory.tenant.appKey, request)
  let answered: Executed | undefined
  for (let retries = 0; ; retries++) {
    const remaining = deadline - Date.now()
    try {
      const sending = { method, url: target, headers: requestHeaders, body: content, memory, timeoutMs: Math.max(1, remaining) }
      const { response, signed } = await sendTraced(onward, fn, sending)
      await onward.turns.beforeBody(memory.tenant.appKey, response.body.length)
      const headers = headersOf(response)
      const wait = retryDelay(fn, response.status, headers)
      const read = await readResponseBody(response.body, headers['content-type'], redact)
      answered = new Answered(signed ? url : null, response.status, headers, read)
      if (wait === undefined || retries >= MAX_RETRIES || Date.now() + wait >= deadline) return answered
      await sleep(wait)
    } catch (err) {
      const failure = failureOf(err)
      if (failure === undefined) throw err
      // The retry failed; return the earlier response.
      if (answered !== undefined) return answered
      const wait = CONNECT_DELAYS_MS[retries]
      const isWorthRetrying = failure.kind === 'unreachable' && failure.retryAfterMs === undefined
      if (!isWorthRetrying || wait === undefined || Date.now() + wait >= deadline) return { kind: 'failed', failure }
      await sleep(wait)
    }
  }
}

/** Sends a request in a span. An app gets the `traceparent` of the span only if its file says so. */
function sendTraced(onward: Onward, fn: AppFunction, request: OutgoingRequest): ReturnType<typeof sendFollowing> {
  const attributes = { 'http.request.method': request.method, 'onward.app': fn.app.name, 'onward.function': fn.name }
  return inSpan(onward.tracing, `onward call ${fn.name}`, { kind: 'client', attributes }, async (span) => {
    const sent = await sendFollowing(onward, fn, withTrace(fn, request, span))
    span?.set({ 'http.response.status_code': sent.response.status })
    return sent
  })
}

function withTrace({ app }: AppFunction, request: OutgoingRequest, span: Span | undefined): OutgoingRequest {
  if (span === undefined || !app.sendsTraces) return request
  return { ...request, headers: { ...request.headers, traceparent: span.traceparent } }
}

/**
 * Sends a request. A function that only reads, and returns the whole body, follows redirects: files are often served by another host. That host
 * gets none of the headers, which contain credentials. If a redirect cannot be followed, returns the response that redirects. `signed` says
 * whether the response comes from the host that received the credentials.
 */
async function sendFollowing(
  { client, reach }: Onward,
  fn: AppFunction,
  first: OutgoingRequest,
): Promise<{ readonly response: OutgoingResponse; readonly signed: boolean }> {
  const deadline = Date.now() + first.timeoutMs
  let request = first
  let response = await client.send(request)
  if (fn.type !== 'QUERY' || !fn.wholeOutput || first.method !== 'GET') return { response, signed: true }
  for (let redirects = 0; redirects < MAX_REDIRECTS; redirects++) {
    const target = redirectTarget(response.status, headersOf(response).location, request.url, reach)
    if (target === undefined) break
    const headers = target.origin === new URL(request.url).origin ? request.headers : ELSEWHERE
    const following = { ...request, url: target.href, headers, timeoutMs: Math.max(1, deadline - Date.now()) }
    const next = await client.send(following).catch((err: unknown) => {
      if (failureOf(err) === undefined) throw err
    })
    if (next === undefined) break
    request = following
    response = next
  }
  return { response, signed: request.headers === first.headers }
}

function bytesOf(body: OnwardRequest['body']): string | Buffer | undefined {
  return body === undefined || typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function retryDelay(fn: AppFunction, status: number, headers: ResponseHeaders): number | undefined {
  if (!fn.safeToRetry) return undefined
  const wait = retryAfterMs(status, headers, fn.app.rateLimit, Date.now())
  return wait !== undefined && wait <= MAX_RETRY_AFTER_MS ? wait : undefined
}

/** Returns the headers; repeated headers are joined with commas (RFC 9110, 5.3). */
function headersOf({ headers }: OutgoingResponse): ResponseHeaders {
  if (Object.values(headers).every((value) => typeof value === 'string')) return headers as ResponseHeaders
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) joined[name] = String(value)
  return joined
}

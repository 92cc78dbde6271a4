import { setTimeout as sleep } from 'node:timers/promises'
import type { AppFunction, OnwardRequest } from '@onward/catalog'
import { type AxiosInstance, type AxiosResponse, type Failure, failureOf } from '@onward/runtime'
import { readAnswer } from './read-answer.ts'
import type { Redactor } from './redact.ts'
import { type AnswerHeaders, retryAfterMs } from './retry-after.ts'

export type Executed =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: AnswerHeaders; readonly body: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** A wait before another try, in ms. */
const CONNECT_RETRIES = [100, 400]
const MAX_RETRY_AFTER_MS = 5_000

/**
 * Makes the onward call. Tried again within the deadline only where nothing can happen twice: when no connection came about,
 * and for a QUERY that was told to come back soon (429, 503 with Retry-After, or the app's own rate-limit headers).
 */
export async function execute(
  http: AxiosInstance,
  fn: AppFunction,
  request: OnwardRequest,
  redact: Redactor,
  timeoutMs: number,
): Promise<Executed> {
  const deadline = Date.now() + timeoutMs
  let answered: Executed | undefined
  for (let tries = 0; ; tries++) {
    const remaining = deadline - Date.now()
    try {
      const response = await http.request<Buffer>({ ...axiosRequest(request), timeout: Math.max(1, remaining) })
      const headers = headersOf(response)
      const wait = waitBefore(fn, response.status, headers)
      const body = readAnswer(response.data, headers['content-type'], redact)
      answered = { kind: 'answered', status: response.status, headers, body }
      if (wait === undefined || tries >= CONNECT_RETRIES.length || Date.now() + wait >= deadline) return answered
      await sleep(wait)
    } catch (err) {
      const failure = failureOf(err)
      if (failure === undefined) throw err
      // Told to come back and then not heard: what was answered stands.
      if (answered !== undefined) return answered
      const wait = CONNECT_RETRIES[tries]
      if (failure.kind !== 'unreachable' || wait === undefined || Date.now() + wait >= deadline) return { kind: 'failed', failure }
      await sleep(wait)
    }
  }
}

function axiosRequest({ method, url, headers, body }: OnwardRequest) {
  // Else axios would say that it sends a form, also where it sends nothing.
  if (body === undefined) return { method, url, headers: { 'content-type': false, ...headers } }
  return { method, url, headers, data: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength) }
}

function waitBefore(fn: AppFunction, status: number, headers: AnswerHeaders): number | undefined {
  if (!fn.safeToRetry) return undefined
  const wait = retryAfterMs(status, headers, fn.app.rateLimit, Date.now())
  return wait !== undefined && wait <= MAX_RETRY_AFTER_MS ? wait : undefined
}

/** Under lower-case names; one that came several times is joined with commas (RFC 9110, 5.3). */
function headersOf({ headers }: AxiosResponse): AnswerHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name.toLowerCase(), String(value)]],
    ),
  )
}

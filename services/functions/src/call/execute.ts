import { setTimeout as sleep } from 'node:timers/promises'
import type { AppFunction, OnwardRequest } from '@onward/catalog'
import { type AxiosInstance, type AxiosResponse, type Failure, failureOf } from '@onward/runtime'

export type Executed =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** A wait before another try, in ms. */
const CONNECT_RETRIES = [100, 400]
const MAX_RETRY_AFTER_MS = 5_000

/** The largest body of an onward request. */
export const MAX_BODY_BYTES = 2 * 1_048_576

/**
 * Makes the onward call. Tried again within the deadline only where nothing can happen twice: when no connection came about,
 * and for a QUERY that was told to come back (429, 503 with Retry-After).
 */
export async function execute(
  http: AxiosInstance,
  fn: AppFunction,
  request: OnwardRequest,
  readAnswer: (text: string) => unknown,
  timeoutMs: number,
): Promise<Executed> {
  const deadline = Date.now() + timeoutMs
  let answered: Executed | undefined
  for (let tries = 0; ; tries++) {
    const remaining = deadline - Date.now()
    try {
      const response = await http.request<Buffer>({ ...axiosRequest(request), timeout: Math.max(1, remaining) })
      const wait = retryAfterMs(fn, response)
      answered = { kind: 'answered', status: response.status, body: readBody(response, readAnswer) }
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
  return { method, url, headers, ...(body === undefined ? {} : { data: body }) }
}

function retryAfterMs(fn: AppFunction, { status, headers }: AxiosResponse): number | undefined {
  if (fn.type !== 'QUERY' || (status !== 429 && status !== 503)) return undefined
  const seconds = Number(headers['retry-after'] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 && seconds * 1_000 <= MAX_RETRY_AFTER_MS ? seconds * 1_000 : undefined
}

/** Null when there is none. Bytes that are not UTF-8 are replaced. */
function readBody({ data }: AxiosResponse<Buffer>, readAnswer: (text: string) => unknown): unknown {
  return data.length === 0 ? null : readAnswer(data.toString('utf8').replace(/^\uFEFF/, ''))
}

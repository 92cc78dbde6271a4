import type { RateLimit } from '@onward/catalog'
import { parseRetryAfter } from '@onward/runtime'

export type AnswerHeaders = Readonly<Record<string, string>>

/** Returns how long an app asks to wait before the next request, in ms. With a header `Retry-After` it can do so under any status. */
export function askedWaitMs(status: number, headers: AnswerHeaders, limit: RateLimit | null, now: number): number | undefined {
  const header: string | undefined = headers['retry-after']
  return header === undefined ? retryAfterMs(status, headers, limit, now) : parseRetryAfter(header, now)
}

/**
 * Returns how long an app asks us to wait before a retry, in ms; undefined when it does not ask. It asks with status 429 or 503 and
 * `Retry-After`, or with its own rate-limit headers when they say that no requests remain.
 */
export function retryAfterMs(status: number, headers: AnswerHeaders, limit: RateLimit | null, now: number): number | undefined {
  const noneRemain = limit?.remaining !== undefined && headers[limit.remaining] === '0'
  if (status !== 429 && status !== 503 && !(status === 403 && noneRemain)) return undefined
  const header: string | undefined = headers['retry-after']
  if (header !== undefined) return parseRetryAfter(header, now)
  const reset = limit?.reset === undefined ? undefined : readNumber(headers[limit.reset])
  if (limit === null || reset === undefined) return undefined
  switch (limit.unit) {
    case 'seconds':
      return reset * 1_000
    case 'epoch_seconds':
      return Math.max(0, reset * 1_000 - now)
    case 'epoch_ms':
      return Math.max(0, reset - now)
  }
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}

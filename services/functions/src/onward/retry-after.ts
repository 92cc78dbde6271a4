import type { RateLimit } from '@onward/catalog'
import { parseRetryAfter } from '@onward/runtime'

export type ResponseHeaders = Readonly<Record<string, string>>

/** Returns how long an app asks to wait before the next request, in ms. With a header `Retry-After` it can do so under any status. */
export function askedWaitMs(status: number, headers: ResponseHeaders, limit: RateLimit | null, now: number): number | undefined {
  return fromHeader(headers, now) ?? retryAfterMs(status, headers, limit, now)
}

/**
 * Returns how long an app asks us to wait before a retry, in ms; undefined when it does not ask. It asks with status 429 or 503 and
 * `Retry-After`, or, when no requests remain, with its own rate-limit headers or the headers of the IETF draft.
 */
export function retryAfterMs(status: number, headers: ResponseHeaders, limit: RateLimit | null, now: number): number | undefined {
  const noneRemain = limit?.remaining !== undefined && headers[limit.remaining] === '0'
  if (status !== 429 && status !== 503 && !(status === 403 && noneRemain)) return undefined
  return fromHeader(headers, now) ?? fromOwnLimit(headers, limit, now) ?? fromStandardLimit(headers)
}

function fromHeader(headers: ResponseHeaders, now: number): number | undefined {
  const header: string | undefined = headers['retry-after']
  return header === undefined ? undefined : parseRetryAfter(header, now)
}

function fromOwnLimit(headers: ResponseHeaders, limit: RateLimit | null, now: number): number | undefined {
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

/**
 * Reads the seconds of `RateLimit-Reset: 30`, `RateLimit: limit=9, remaining=0, reset=30` and `RateLimit: "name";r=0;t=30`, the headers of
 * three versions of the IETF draft. Of several limits without remaining requests, the last one to end counts.
 */
function fromStandardLimit(headers: ResponseHeaders): number | undefined {
  const only = readNumber(headers['ratelimit-reset'])
  if (only !== undefined) return only * 1_000
  const limits: string | undefined = headers.ratelimit
  if (limits === undefined) return undefined
  const found = [...limits.matchAll(/(?:;\s*r=0\s*;\s*t=|\breset=)(\d+)/g)].map(([, seconds]) => Number(seconds) * 1_000)
  return found.length === 0 ? undefined : Math.max(...found)
}

function readNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}

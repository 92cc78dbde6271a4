import type { RateLimit } from '@onward/catalog'

export type AnswerHeaders = Readonly<Record<string, string>>

/**
 * How long an app asks callers to wait, in ms; undefined when the answer is no such request. `Retry-After` in seconds or as a date
 * (RFC 9110, 10.2.3), else the app's own rate-limit headers, where they say that nothing is left.
 */
export function retryAfterMs(status: number, headers: AnswerHeaders, limit: RateLimit | null, now: number): number | undefined {
  const spent = limit?.remaining !== undefined && headers[limit.remaining] === '0'
  if (status !== 429 && status !== 503 && !(status === 403 && spent)) return undefined
  const told: string | undefined = headers['retry-after']
  if (told !== undefined) return readRetryAfter(told, now)
  const reset = limit?.reset === undefined ? undefined : readSeconds(headers[limit.reset])
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

function readRetryAfter(text: string, now: number): number | undefined {
  const seconds = readSeconds(text)
  if (seconds !== undefined) return seconds * 1_000
  // Of what is no HTTP date, Date.parse makes up one.
  const date = /^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
}

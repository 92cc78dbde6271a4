import { parseRetryAfter } from '@onward/runtime'
import type { Timing } from './timing.ts'

/** What a receiver answered: a status, or no whole answer for a reason. */
export type Answer = { readonly status: number; readonly retryAfter: string | undefined } | { readonly failure: string }

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly delayMs: number }
  | { readonly kind: 'exhausted' }

/** What follows from the answer to attempt number `attempt`, the first being 1. `chance` lies in [0, 1). */
export function judge(answer: Answer, attempt: number, timing: Timing, now: Date, chance: number): Verdict {
  const status = 'status' in answer ? answer.status : 0
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  if (status === 410) return { kind: 'gone' }
  const delay = timing.delaysMs[attempt]
  if (delay === undefined) return { kind: 'exhausted' }
  const asked = 'status' in answer ? (parseRetryAfter(answer.retryAfter ?? '', now.getTime()) ?? 0) : 0
  const jittered = delay * (1 + timing.jitter * (2 * chance - 1))
  return { kind: 'retry', delayMs: Math.round(Math.max(jittered, Math.min(asked, timing.maxRetryAfterMs))) }
}

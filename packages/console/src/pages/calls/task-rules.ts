import type { getUserDetail, ResponseOf } from '@onward/contract'
import type { Call } from './read-calls.ts'

const LATE_MS = 120_000
/** A notice that was created so soon after the call can be due to its task. */
const CAUSED_WITHIN_MS = 30_000

export type Notice = ResponseOf<typeof getUserDetail>['notices'][number]

/** Returns whether the call counts as a task, now or later. */
export function isTask({ internal, outcome }: Pick<Call, 'internal' | 'outcome'>): boolean {
  return internal !== true && outcome !== 'unreachable'
}

type Times = Pick<Call, 'started_at' | 'duration_ms'>

/** Returns whether the task should have been counted by now. */
export function isLate({ started_at, duration_ms }: Times, now: Date): boolean {
  return now.getTime() - Date.parse(started_at) - (duration_ms ?? 0) > LATE_MS
}

/** Returns the notices that were created right after a call. Which task caused a notice is not stored. */
export function noticesAfter({ started_at, duration_ms }: Times, notices: readonly Notice[]): Notice[] {
  const ended = Date.parse(started_at) + (duration_ms ?? 0)
  return notices.filter(({ at }) => Date.parse(at) >= Date.parse(started_at) && Date.parse(at) <= ended + CAUSED_WITHIN_MS)
}

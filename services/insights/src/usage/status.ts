import type { TaskStatus, TaskStatusWithPercents } from '@onward/contract'
import { DAY_MS } from './period.ts'

/** What a user has used of a limit in one window. `endsAt` is null while the user had no task: then the window has not begun. */
export type Usage = {
  readonly userId: string
  readonly limit: number
  readonly consumed: number
  readonly days: number
  readonly endsAt: Date | null
}

export function taskStatus({ userId, limit, consumed, days, endsAt }: Usage, now: Date): TaskStatus {
  return {
    user_id: userId,
    current_limit: limit,
    limit_period: String(days),
    tasks_consumed: consumed,
    tasks_remaining: Math.max(0, limit - consumed),
    limit_reset_after: endsAt === null ? days : daysLeft(endsAt, now, days),
  }
}

export function taskStatusWithPercents(usage: Usage, now: Date): TaskStatusWithPercents {
  const status = taskStatus(usage, now)
  // Not spread: copies made that way are so dear that they were most of the cost of a long list.
  return {
    user_id: status.user_id,
    current_limit: status.current_limit,
    limit_period: status.limit_period,
    tasks_consumed: status.tasks_consumed,
    tasks_remaining: status.tasks_remaining,
    limit_reset_after: status.limit_reset_after,
    tasks_consumed_percent: usage.limit === 0 ? 100 : percent(usage.consumed, usage.limit),
    tasks_remaining_percent: usage.limit === 0 ? 0 : percent(status.tasks_remaining, usage.limit),
  }
}

function daysLeft(endsAt: Date, now: Date, days: number): number {
  return Math.min(days, Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS)))
}

/** Floored to two decimals by whole numbers: 79.996 % is 79.99, never 80. */
function percent(part: number, whole: number): number {
  // Up to here the product and the floor of the quotient are exact without the dearer big integers.
  if (part <= Number.MAX_SAFE_INTEGER / 10_000) return Math.floor((part * 10_000) / whole) / 100
  return Number((BigInt(part) * 10_000n) / BigInt(whole)) / 100
}

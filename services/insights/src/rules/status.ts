import { DAY_MS, type LimitSource, type TaskStatus, type TaskStatusWithPercents } from '@onward/contract'
import { currentPeriod, type LimitPeriod, newestDays, type Period } from './period.ts'

/**
 * The newest limit that was applied to a user: at first the workspace's default limit, later a limit set for this user or for all.
 * `limitSeq` is the number of this limit change; a workspace numbers its limit changes.
 */
type UserLimit = { readonly ownLimit: number | null; readonly limitSeq: number }

/** The limit that was last set for all users of a workspace, and the number of that change. It may not be applied to each user yet. */
export type BulkLimit = { readonly bulkLimit: number | null; readonly bulkSeq: number }

/** Returns the limit that applies to a user: the newer of own and bulk limit. Null while the application belongs to no workspace. */
export function effectiveLimit({ ownLimit, limitSeq }: UserLimit, workspace: BulkLimit | undefined): number | null {
  if (workspace === undefined) return null
  return workspace.bulkSeq > limitSeq ? workspace.bulkLimit : ownLimit
}

/** Only the number of a limit is stored, not who set it. So the source is derived from the number. */
export function sourceOf(limit: number, { bulkLimit, defaultLimit }: { bulkLimit: number | null; defaultLimit: number }): LimitSource {
  if (limit === bulkLimit) return 'bulk'
  return limit === defaultLimit ? 'default' : 'own'
}

/**
 * The tasks that a user consumed in one period, and the limit. `endsAt` is null before the user's first task, because the period has not
 * begun.
 */
type Usage = {
  readonly userId: string
  readonly limit: number
  readonly consumed: number
  readonly days: number
  readonly endsAt: Date | null
}

type StoredUsage = UserLimit & {
  readonly userId: string
  readonly anchor: Date | null
  readonly period: (Period & { readonly consumed: number }) | null
  readonly now: Date
}

/** Returns the usage of a user of a provisioned application in the current period. */
export function currentUsage(stored: StoredUsage, application: BulkLimit & { readonly limitPeriods: readonly LimitPeriod[] }): Usage {
  const { userId, period } = stored
  const limit = effectiveLimit(stored, application)
  // @NOTE provisioning sets a limit for every user of an application, and users who are created later have one.
  if (limit === null) throw new Error('a user of a provisioned application has no limit')
  const current = currentPeriod(stored, application.limitPeriods)
  if (current === null) return { userId, limit, consumed: 0, days: newestDays(application.limitPeriods), endsAt: null }
  return { userId, limit, consumed: period?.consumed ?? 0, days: daysOf(current), endsAt: current.endsAt }
}

/** Returns the length of a period in days. */
export function daysOf({ startsAt, endsAt }: Period): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / DAY_MS)
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
  return {
    ...status,
    tasks_consumed_percent: usage.limit === 0 ? 100 : percent(usage.consumed, usage.limit),
    tasks_remaining_percent: usage.limit === 0 ? 0 : percent(status.tasks_remaining, usage.limit),
  }
}

function daysLeft(endsAt: Date, now: Date, days: number): number {
  return Math.min(days, Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS)))
}

/** Returns a percentage, rounded down to two decimals with integer arithmetic: 79.996 % is 79.99, never 80. */
function percent(part: number, whole: number): number {
  // Up to this size the product and its quotient are exact without big integers, which are slower.
  if (part <= Number.MAX_SAFE_INTEGER / 10_000) return Math.floor((part * 10_000) / whole) / 100
  return Number((BigInt(part) * 10_000n) / BigInt(whole)) / 100
}

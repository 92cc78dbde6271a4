import type { UserKey } from '@onward/runtime'
import { updateBlocking } from '../blocking/update-blocking.ts'
import { readPeriodsSince, readUsages, type StoredUsage } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { keyText, setOwnLimits, type User } from '../db/users.ts'
import { type OwningWorkspace, readOwningWorkspaces } from '../db/workspaces.ts'
import { type BulkLimit, effectiveLimit } from '../rules/status.ts'
import { type FollowUp, NO_FOLLOW_UP } from './follow-up.ts'
import { announceLevels, type CheckedPeriod, type DeliveryQuota } from './levels.ts'

/** A user with the workspace of its application. `workspace` is undefined while the application belongs to no workspace. */
export type UserWithWorkspace = User & { readonly workspace: OwningWorkspace | undefined }

/**
 * Adds the workspaces of their applications to locked users. The users must be locked before this read: a limit change that is committed
 * later then waits for these locks, and finds what this transaction stored.
 */
export async function withWorkspaces<T extends User>(tx: Db, users: readonly T[]): Promise<(T & UserWithWorkspace)[]> {
  if (users.length === 0) return []
  const workspaces = await readOwningWorkspaces(tx, [...new Set(users.map((user) => user.appKey))])
  return users.map((user) => Object.assign({}, user, { workspace: workspaces.get(user.appKey) }))
}

/**
 * Applies the pending limit changes of locked users, in order. Every transaction that locks users to check their levels does this first. So
 * a limit change has the same effect as if it had been applied when it was made: it sees only tasks that were counted before it.
 * Throws `TooManyDeliveries`.
 */
export async function applyPending<T extends UserWithWorkspace>(
  tx: Db,
  users: readonly T[],
  quota?: DeliveryQuota,
): Promise<{ users: T[]; followUp: FollowUp }> {
  let current = [...users]
  const subscriptions: string[] = []
  const workspaces = new Map(users.flatMap(({ workspace }) => (workspace === undefined ? [] : [[workspace.id, workspace]])))
  for (const workspace of workspaces.values()) {
    for (const { limit, limitSeq, at } of workspace.limitChanges) {
      const pending = current.filter((user) => user.workspace?.id === workspace.id && user.limitSeq < limitSeq)
      if (pending.length === 0) continue
      const applied = new Map(
        pending.map((user) => [user, { ...user, ownLimit: limit ?? limitBefore(limitSeq, user, workspace), limitSeq }]),
      )
      await setOwnLimits(tx, [...applied.values()])
      // Uses the limit of this limit change. A newer bulk limit has its own iteration of this loop.
      const limited = [...applied.values()].map((user) => ({ ...user, limit: user.ownLimit }))
      const changedAt = new Date(at)
      // One less, so that it excludes subscriptions that were created after this limit change: their number is at least `limitSeq`.
      const periods = await readPeriodsToCheck(tx, limited, { id: workspace.id, limitSeq: limitSeq - 1 }, changedAt)
      subscriptions.push(...(await announceLevels(tx, periods, changedAt, quota)))
      current = current.map((user) => applied.get(user) ?? user)
    }
  }
  const changed = current.filter((user, i) => user !== users[i])
  // Blocking depends only on the current period and the newest limit, so one update after all limit changes is enough.
  const blocking = changed.length === 0 ? [] : await updateBlocking(tx, await readUsages(tx, changed))
  return { users: current, followUp: { subscriptions, blocking } }
}

/**
 * Returns the limit that a user had when a limit change without a limit was made. Ignores a bulk limit that was set later, because that is
 * another limit change.
 */
function limitBefore(limitSeq: number, user: User, workspace: BulkLimit): number | null {
  return workspace.bulkSeq < limitSeq ? effectiveLimit(user, workspace) : user.ownLimit
}

/** Announces newly reached levels of locked users and updates their blocking, after a change of their limits or of what they consumed. */
export async function checkLevels(
  tx: Db,
  usages: readonly StoredUsage[],
  workspace: BulkLimit & { readonly id: string; readonly limitSeq: number },
): Promise<FollowUp> {
  const [first] = usages
  if (first === undefined) return NO_FOLLOW_UP
  const limited = usages.map((usage) => ({ ...usage, limit: effectiveLimit(usage, workspace) }))
  const periods = await readPeriodsToCheck(tx, limited, workspace, first.now)
  return { subscriptions: await announceLevels(tx, periods, first.now), blocking: await updateBlocking(tx, usages) }
}

/** Returns the periods that a limit change affects: periods that were current when it was made, and later periods. */
async function readPeriodsToCheck(
  tx: Db,
  users: readonly (UserKey & { readonly limit: number | null })[],
  workspace: { readonly id: string; readonly limitSeq: number },
  at: Date,
): Promise<CheckedPeriod[]> {
  const limits = new Map(users.map((user) => [keyText(user), user.limit]))
  const periods = await readPeriodsSince(tx, users, at)
  return periods.map((period) => ({
    ...period,
    consumedBefore: period.consumed,
    limit: limits.get(keyText(period)) ?? null,
    workspaceId: workspace.id,
    limitSeq: workspace.limitSeq,
  }))
}

import { updateBlocking } from '../blocking/update-blocking.ts'
import { type CurrentUsage, readPeriodsSince, readUsages } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { keyText, setOwnLimits, type User, type UserKey } from '../db/users.ts'
import { type Owner, readOwners } from '../db/workspaces.ts'
import { type BulkLimit, effectiveLimit } from '../rules/status.ts'
import { type FollowUp, NO_FOLLOW_UP } from './follow-up.ts'
import { announceLevels, type CheckedPeriod } from './levels.ts'

/** A user with the owner of its application; undefined while the application belongs to no workspace. */
export type OwnedUser = User & { readonly owner: Owner | undefined }

/** Adds their owners to locked users. Owners are read after locking: a later limit change finds these users with what this transaction did. */
export async function withOwners<T extends User>(tx: Db, users: readonly T[]): Promise<(T & OwnedUser)[]> {
  if (users.length === 0) return []
  const owners = await readOwners(tx, [...new Set(users.map((user) => user.appKey))])
  return users.map((user) => ({ ...user, owner: owners.get(user.appKey) }))
}

/**
 * Applies the pending limit changes of locked users, in order. Every transaction that locks users to check their levels does this first. So
 * each limit change checks a user as if it had been applied at once: with what was consumed before it, in the periods of its own time.
 */
export async function applyPending<T extends OwnedUser>(tx: Db, users: readonly T[]): Promise<{ users: T[]; followUp: FollowUp }> {
  let current = [...users]
  const subscriptions: string[] = []
  const owners = new Map(users.flatMap(({ owner }) => (owner === undefined ? [] : [[owner.id, owner]])))
  for (const owner of owners.values()) {
    for (const { limit, limitSeq, at } of owner.limitChanges) {
      const pending = current.filter((user) => user.owner?.id === owner.id && user.limitSeq < limitSeq)
      if (pending.length === 0) continue
      const applied = new Map(pending.map((user) => [user, { ...user, ownLimit: limit ?? limitBefore(limitSeq, user, owner), limitSeq }]))
      await setOwnLimits(tx, [...applied.values()])
      // Checked with the limit of this limit change: a newer bulk limit is a limit change of its own.
      const limited = [...applied.values()].map((user) => ({ ...user, limit: user.ownLimit }))
      const changedAt = new Date(at)
      const periods = await periodsSince(tx, limited, { id: owner.id, seq: limitSeq - 1 }, changedAt)
      subscriptions.push(...(await announceLevels(tx, periods, changedAt)))
      current = current.map((user) => applied.get(user) ?? user)
    }
  }
  const changed = current.filter((user, i) => user !== users[i])
  // Who is blocked depends on the period that is current now and on the newest limit.
  const blocking = changed.length === 0 ? [] : await updateBlocking(tx, await readUsages(tx, changed))
  return { users: current, followUp: { subscriptions, blocking } }
}

/** Returns the limit of a user before a limit change with this number. A bulk limit after it is a limit change of its own. */
function limitBefore(limitSeq: number, user: User, workspace: BulkLimit): number | null {
  return workspace.bulkSeq < limitSeq ? effectiveLimit(user, workspace) : user.ownLimit
}

/** Checks the levels of locked users, and who of them is blocked, after a change of their limit or of `on_limit`. */
export async function checkLevels(
  tx: Db,
  usages: readonly CurrentUsage[],
  workspace: BulkLimit & { readonly id: string; readonly limitSeq: number },
): Promise<FollowUp> {
  const [first] = usages
  if (first === undefined) return NO_FOLLOW_UP
  const limited = usages.map((usage) => ({ ...usage, limit: effectiveLimit(usage, workspace) }))
  const periods = await periodsSince(tx, limited, { id: workspace.id, seq: workspace.limitSeq }, first.now)
  return { subscriptions: await announceLevels(tx, periods, first.now), blocking: await updateBlocking(tx, usages) }
}

/** Returns the periods that a limit change affects: those that were current when it was made, and later ones. */
async function periodsSince(
  tx: Db,
  users: readonly (UserKey & { readonly limit: number | null })[],
  workspace: { readonly id: string; readonly seq: number },
  at: Date,
): Promise<CheckedPeriod[]> {
  const limits = new Map(users.map((user) => [keyText(user), user.limit]))
  const periods = await readPeriodsSince(tx, users, at)
  return periods.map((period) => ({
    ...period,
    before: period.consumed,
    limit: limits.get(keyText(period)) ?? null,
    workspaceId: workspace.id,
    seq: workspace.seq,
  }))
}

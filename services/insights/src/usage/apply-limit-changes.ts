import { Refusal } from '@onward/runtime'
import {
  countLimitChanges,
  deleteLimitChanges,
  insertLimitChange,
  lockProgress,
  pickLimitChange,
  saveProgress,
} from '../db/limit-changes.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import type { LimitChange } from '../db/workspaces.ts'
import { type FollowUp, NO_FOLLOW_UP, type RunFollowUp } from './follow-up.ts'
import { MAX_DELIVERIES } from './levels.ts'
import { applyPending, withWorkspaces } from './locked-users.ts'

const MAX_PENDING = 100
/** Within this time, the background work usually applies some of the pending limit changes. */
const RETRY_AFTER_SECONDS = 5

/**
 * Stores a limit change for all users of a workspace, which `applyLimitChanges` applies later. Throws `too_many_changes` (429) when 100 are
 * pending. The workspace must be locked.
 */
export async function addLimitChange(tx: Db, workspaceId: string, limitChange: Omit<LimitChange, 'at'>): Promise<void> {
  if ((await countLimitChanges(tx, workspaceId)) >= MAX_PENDING) {
    const problem = `${MAX_PENDING} limit changes are pending; retry in a few seconds`
    throw new Refusal('too_many_changes', problem, [], { retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  await insertLimitChange(tx, workspaceId, limitChange)
}

/** After a page has failed, `applyLimitChanges` continues with other workspaces for this long before it throws. */
const CONTINUE_MS = 5_000

/**
 * Applies pending limit changes to all users of their workspaces, in pages. When a page fails, it continues with other workspaces and then
 * throws the first error; the next call retries the page.
 */
export async function applyLimitChanges(
  { db, runFollowUp }: { readonly db: Db; readonly runFollowUp: RunFollowUp },
  signal: AbortSignal,
): Promise<void> {
  const failures = new Map<string, unknown>()
  let endAt = Number.POSITIVE_INFINITY
  while (!signal.aborted && Date.now() < endAt) {
    const id = await pickLimitChange(db, [...failures.keys()])
    if (id === undefined) break
    try {
      await runFollowUp(await db.transaction().execute((tx) => applyPage(tx, id)))
    } catch (err) {
      failures.set(id, err)
      endAt = Math.min(endAt, Date.now() + CONTINUE_MS)
    }
  }
  const [firstError] = failures.values()
  if (failures.size > 0) throw firstError
}

/** Applies pending limit changes to the next users of a workspace, or deletes these limit changes when they are applied to all users. */
async function applyPage(tx: Db, id: string): Promise<FollowUp> {
  const progress = await lockProgress(tx, id)
  if (progress === undefined) return NO_FOLLOW_UP
  const { kinds } = await countSubscriptions(tx, progress.workspaceId)
  const size = usersPerTransaction(kinds, await countLimitChanges(tx, progress.workspaceId))
  const users = await lockNextUsers(tx, progress.workspaceId, progress.after, size)
  const last = users.at(-1)
  if (last === undefined) {
    await deleteLimitChanges(tx, progress)
    return NO_FOLLOW_UP
  }
  await saveProgress(tx, progress.id, last)
  return (await applyPending(tx, await withWorkspaces(tx, users))).followUp
}

const MAX_USERS = 500

/**
 * Returns the number of users whose levels one transaction may check, so that it creates at most `MAX_DELIVERIES`. A user gets at most one
 * delivery per subscribed webhook kind and limit change. With at most 200 kinds and 100 limit changes, one user alone stays below that.
 */
export function usersPerTransaction(subscribedKinds: number, limitChanges: number): number {
  const perUser = subscribedKinds * limitChanges
  return perUser === 0 ? MAX_USERS : Math.max(1, Math.min(MAX_USERS, Math.floor(MAX_DELIVERIES / perUser)))
}

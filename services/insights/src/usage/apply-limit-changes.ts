import { countLimitChanges, deleteLimitChanges, lockProgress, pickLimitChange, saveProgress } from '../db/limit-changes.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockNextUsers } from '../db/users.ts'
import { type FollowUp, type FollowUpParts, NO_FOLLOW_UP, runFollowUp } from './follow-up.ts'
import { usersPerTransaction } from './levels.ts'
import { applyPending, withOwners } from './limit-changes.ts'

/** After a page has failed, the limit changes of other workspaces go on for this long. Then the failure is thrown. */
const CONTINUE_MS = 5_000

/**
 * Applies pending limit changes to all users of their workspaces, in pages. A page that fails is tried again by the next call; the limit changes
 * of other workspaces are applied first. Throws the first failure.
 */
export async function applyLimitChanges(parts: FollowUpParts, signal: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>()
  let until = Number.POSITIVE_INFINITY
  while (!signal.aborted && Date.now() < until) {
    const id = await pickLimitChange(parts.db, [...failures.keys()])
    if (id === undefined) break
    try {
      await runFollowUp(parts, await parts.db.transaction().execute((tx) => applyPage(tx, id)))
    } catch (err) {
      failures.set(id, err)
      until = Math.min(until, Date.now() + CONTINUE_MS)
    }
  }
  for (const err of failures.values()) throw err
}

async function applyPage(tx: Db, id: string): Promise<FollowUp> {
  const progress = await lockProgress(tx, id)
  if (progress === undefined) return NO_FOLLOW_UP
  const { events } = await countSubscriptions(tx, progress.workspaceId)
  const size = usersPerTransaction(events, await countLimitChanges(tx, progress.workspaceId))
  const users = await lockNextUsers(tx, progress.workspaceId, progress.after, size)
  const last = users.at(-1)
  if (last === undefined) {
    await deleteLimitChanges(tx, progress)
    return NO_FOLLOW_UP
  }
  await saveProgress(tx, progress.id, last)
  return (await applyPending(tx, await withOwners(tx, users))).followUp
}

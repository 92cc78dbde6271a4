import { Refusal } from '@onward/runtime'
import { updateBlocking } from '../blocking/update-blocking.ts'
import { readUsages } from '../db/periods.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import type { Db } from '../db/tables.ts'
import { lockUsers, setOwnLimits } from '../db/users.ts'
import { countNewUsers, MAX_NEW_USERS, nextLimitSeq, setBulkLimit } from '../db/workspaces.ts'
import { DAY_MS } from '../rules/period.ts'
import { addLimitChange } from './apply-limit-changes.ts'
import { type FollowUp, joinFollowUps } from './follow-up.ts'
import { MAX_DELIVERIES } from './levels.ts'
import { applyPending, checkLevels, withWorkspaces } from './limit-changes.ts'

/**
 * Sets the own limits of users in one transaction, and creates users that do not exist. Checks their levels at once. If that could create
 * too many deliveries for one transaction, a limit change checks them in the background. Throws `too_many_changes` and `too_many_new_users`
 * (429).
 */
export async function setUserLimits(db: Db, workspaceId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<FollowUp> {
  return await db.transaction().execute(async (tx) => {
    const workspace = await nextLimitSeq(tx, workspaceId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: workspace.limitSeq }))
    const existing = await lockUsers(tx, users)
    // While the workspace is locked, counting creates no user in it.
    const created = users.length - existing.length
    if (created > 0 && !(await countNewUsers(tx, workspaceId, created))) throw tooManyNewUsers()
    const { followUp } = await applyPending(tx, await withWorkspaces(tx, existing))
    await setOwnLimits(tx, users)
    const usages = await readUsages(tx, users)
    const { kinds } = await countSubscriptions(tx, workspaceId)
    if (users.length * kinds <= MAX_DELIVERIES) return joinFollowUps(followUp, await checkLevels(tx, usages, workspace))
    const { limitSeq } = await nextLimitSeq(tx, workspaceId)
    await addLimitChange(tx, workspaceId, { limit: null, limitSeq })
    return joinFollowUps(followUp, { subscriptions: [], blocking: await updateBlocking(tx, usages) })
  })
}

function tooManyNewUsers(): Refusal {
  const problem = `the workspace would create more than ${MAX_NEW_USERS} users today by setting their limits; retry tomorrow (UTC)`
  return new Refusal('too_many_new_users', problem, [], { retryAfterSeconds: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1_000) })
}

/**
 * Sets the limit of all existing users. It applies at once; a limit change checks their levels in the background. Throws `too_many_changes`
 * (429).
 */
export async function setAllLimits(db: Db, workspaceId: string, limit: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const limitSeq = await setBulkLimit(tx, workspaceId, limit)
    await addLimitChange(tx, workspaceId, { limit, limitSeq })
  })
}

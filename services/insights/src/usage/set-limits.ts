import { DAY_MS, type LimitChanged } from '@onward/contract'
import { Refusal, uuidv7 } from '@onward/runtime'
import { updateBlocking } from '../blocking/update-blocking.ts'
import { readUsages } from '../db/periods.ts'
import { countSubscriptions } from '../db/subscriptions.ts'
import { type Db, readNow } from '../db/tables.ts'
import { lockUsers, setOwnLimits } from '../db/users.ts'
import { countNewUsers, MAX_NEW_USERS, nextLimitSeq, setBulkLimit } from '../db/workspaces.ts'
import { effectiveLimit } from '../rules/status.ts'
import { type Announced, announceEvents } from '../webhooks/user-events.ts'
import { addLimitChange } from './apply-limit-changes.ts'
import { type FollowUp, joinFollowUps } from './follow-up.ts'
import { MAX_DELIVERIES } from './levels.ts'
import { applyPending, checkLevels, withWorkspaces } from './locked-users.ts'

/** Maximum number of deliveries of `limit_changed` that one request creates. They take about five seconds. */
const MAX_ANNOUNCED = 100_000

/**
 * Sets the own limits of users in one transaction, creates users that do not exist, and announces the changed limits. Checks the levels of the
 * users at once. If that could create too many deliveries for one transaction, a limit change checks them in the background. Throws
 * `too_many_changes` and `too_many_new_users` (429), and `invalid_parameters` when it would announce too much.
 */
export async function setUserLimits(db: Db, workspaceId: string, appKey: string, limits: ReadonlyMap<string, number>): Promise<FollowUp> {
  return await db.transaction().execute(async (tx) => {
    const workspace = await nextLimitSeq(tx, workspaceId)
    const users = [...limits].map(([userId, ownLimit]) => ({ appKey, userId, ownLimit, limitSeq: workspace.limitSeq }))
    const existing = await lockUsers(tx, users)
    // While the workspace is locked, counting creates no user in it.
    const created = users.length - existing.length
    if (created > 0 && !(await countNewUsers(tx, workspaceId, created))) throw tooManyNewUsers()
    const applied = await applyPending(tx, await withWorkspaces(tx, existing))
    const before = new Map(applied.users.map((user) => [user.userId, effectiveLimit(user, user.workspace)]))
    const changed = users.filter(({ userId, ownLimit }) => before.get(userId) !== ownLimit)
    const now = await readNow(tx)
    const events = changed.map(({ userId, ownLimit }) => {
      const limits = { current_limit: ownLimit, previous_limit: before.get(userId) ?? null }
      return limitChanged(workspaceId, { appKey, userId }, limits, now)
    })
    const announced = await announceEvents(tx, events, (deliveries) => requireFewDeliveries(deliveries, events.length))
    const followUp = joinFollowUps(applied.followUp, { subscriptions: announced, blocking: [] })
    await setOwnLimits(tx, users)
    const usages = await readUsages(tx, users)
    const { kinds } = await countSubscriptions(tx, workspaceId)
    if (users.length * kinds <= MAX_DELIVERIES) return joinFollowUps(followUp, await checkLevels(tx, usages, workspace))
    const { limitSeq } = await nextLimitSeq(tx, workspaceId)
    await addLimitChange(tx, workspaceId, { limit: null, limitSeq })
    return joinFollowUps(followUp, { subscriptions: [], blocking: await updateBlocking(tx, usages) })
  })
}

function limitChanged(
  workspaceId: string,
  user: Announced['user'],
  limits: Pick<LimitChanged, 'current_limit' | 'previous_limit'>,
  now: Date,
): Announced {
  const body: LimitChanged = { event_id: uuidv7(), user_id: user?.userId ?? null, occurred_at: now.toISOString(), ...limits }
  return { kind: 'limit_changed', workspaceId, user, payload: JSON.stringify(body) }
}

function requireFewDeliveries(deliveries: number, users: number): void {
  if (deliveries <= MAX_ANNOUNCED) return
  const atOnce = Math.floor((MAX_ANNOUNCED * users) / deliveries)
  const problem = `with so many subscriptions to limit_changed, one request can change the limits of at most ${atOnce} users`
  throw new Refusal('invalid_parameters', problem)
}

function tooManyNewUsers(): Refusal {
  const problem = `the workspace would create more than ${MAX_NEW_USERS} users today by setting their limits; retry tomorrow (UTC)`
  return new Refusal('too_many_new_users', problem, [], { retryAfterSeconds: Math.ceil((DAY_MS - (Date.now() % DAY_MS)) / 1_000) })
}

/**
 * Sets the limit of all existing users, and announces it as one event. It applies at once; a limit change checks the levels of the users in the
 * background. Throws `too_many_changes` (429).
 */
export async function setAllLimits(db: Db, workspaceId: string, limit: number): Promise<FollowUp> {
  return await db.transaction().execute(async (tx) => {
    const limitSeq = await setBulkLimit(tx, workspaceId, limit)
    await addLimitChange(tx, workspaceId, { limit, limitSeq })
    const event = limitChanged(workspaceId, null, { current_limit: limit, previous_limit: null }, await readNow(tx))
    return { subscriptions: await announceEvents(tx, [event]), blocking: [] }
  })
}

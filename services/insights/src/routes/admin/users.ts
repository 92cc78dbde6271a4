import * as endpoints from '@onward/contract'
import { isUuid, Refusal, readCursor, writeCursor } from '@onward/runtime'
import { findBlockedAmong, findBlockedUntil } from '../../db/blocking.ts'
import { listNotices } from '../../db/deliveries.ts'
import { readUsage } from '../../db/periods.ts'
import { findQuarantineReasons } from '../../db/quarantine.ts'
import type { Db } from '../../db/tables.ts'
import { readTaskEvents } from '../../db/task-events.ts'
import { pageUsages } from '../../db/usage-pages.ts'
import { findFirstSeen } from '../../db/users.ts'
import { userIdProblem } from '../../rules/ids.ts'
import { currentPeriod } from '../../rules/period.ts'
import { currentUsage, sourceOf, taskStatusWithPercents } from '../../rules/status.ts'
import { adminRoute, invalidParameters, requireAssigned } from '../route.ts'

export const getUserDetailRoute = adminRoute(endpoints.getUserDetail, async (ctx, { query, workspaceId }) => {
  const problem = userIdProblem(query.user_id)
  if (problem !== undefined) throw invalidParameters(`user_id: ${problem}`)
  const application = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const user = { appKey: application.appKey, userId: query.user_id }
  const [usage, firstSeen] = await Promise.all([readUsage(ctx.db, user), findFirstSeen(ctx.db, user)])
  if (usage === undefined || firstSeen === undefined) throw new Refusal('user_not_found', 'there is no such user')
  const period = currentPeriod(usage, application.limitPeriods)
  const status = currentUsage(usage, application)
  const blockedUntil = await findBlockedUntil(ctx.db, user)
  const notices = period === null ? [] : await listNotices(ctx.db, application.workspaceId, user, period.startsAt)
  return {
    ...taskStatusWithPercents(status, usage.now),
    limit_source: sourceOf(status.limit, application),
    first_seen_at: firstSeen.toISOString(),
    period: period && { starts_at: period.startsAt.toISOString(), ends_at: period.endsAt.toISOString() },
    level: usage.period?.level ?? 0,
    blocked_until: blockedUntil?.toISOString() ?? null,
    notices: notices.map(({ kind, at, deliveries }) => ({ event_name: kind, at: at.toISOString(), deliveries: [...deliveries] })),
  }
})

/** The percentage of the limit from which a user is near it. */
const NEAR_PERCENT = 80

const OF_STATE = {
  reached: { limitReached: true },
  near: { minPercent: NEAR_PERCENT, limitReached: false },
  blocked: { blocked: true },
} as const

export const listUsersRoute = adminRoute(endpoints.listUsers, async (ctx, { query, workspaceId }) => {
  const { search, state, limit_source: is, page_size: size } = query
  const [after = ''] = readCursor(query._cursor, ['string']) ?? []
  const application = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const { appKey, defaultLimit } = application
  const page = await pageUsages(ctx.slowDb, application, after, size + 1, {
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : OF_STATE[state]),
    ...(is === undefined ? {} : { limitSource: { is, defaultLimit } }),
  })
  const usages = [...page.items(0, size)].map((stored) => ({ usage: currentUsage(stored, application), now: stored.now }))
  const blocked = await findBlockedAmong(
    ctx.slowDb,
    appKey,
    usages.map(({ usage }) => usage.userId),
  )
  const next = page.count > size ? usages.at(-1)?.usage.userId : page.next
  return {
    users: usages.map(({ usage, now }) => ({
      ...taskStatusWithPercents(usage, now),
      limit_source: sourceOf(usage.limit, application),
      resets_at: usage.endsAt?.toISOString() ?? null,
      blocked_until: blocked.get(usage.userId)?.toISOString() ?? null,
    })),
    _cursor: typeof next === 'string' ? writeCursor([next]) : null,
  }
})

export const readTaskRoute = adminRoute(endpoints.readTask, async (ctx, { params, query, workspaceId }) => {
  const { appKey } = await requireAssigned(ctx.db, workspaceId, query.app_key)
  return (await taskStates(ctx.db, appKey, [params.call_id]))(params.call_id)
})

export const readTasksRoute = adminRoute(endpoints.readTasks, async (ctx, { query, workspaceId }) => {
  const { appKey } = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const ids = query.call_ids.split(',')
  const stateOf = await taskStates(ctx.db, appKey, ids)
  return { tasks: ids.map((id) => ({ call_id: id, ...stateOf(id) })) }
})

/** Returns a function that returns whether the task of one of these calls was counted. */
async function taskStates(db: Db, appKey: string, callIds: readonly string[]) {
  const ids = callIds.map((id) => id.toLowerCase()).filter(isUuid)
  const [events, reasons] = await Promise.all([readTaskEvents(db, ids), findQuarantineReasons(db, appKey, ids)])
  return (callId: string) => {
    const event = events.get(callId.toLowerCase())
    if (event?.appKey === appKey) return { counted: true, occurred_at: event.occurredAt.toISOString(), quarantined: null }
    return { counted: false, occurred_at: null, quarantined: reasons.get(callId.toLowerCase()) ?? null }
  }
}

import * as endpoints from '@onward/contract'
import { isUuid, Refusal, readCursor, writeCursor } from '@onward/runtime'
import type { AssignedApplication } from '../../db/applications.ts'
import { findBlockedAmong, findBlockedUntil } from '../../db/blocking.ts'
import { listNotices } from '../../db/deliveries.ts'
import { readUsage, readUsages } from '../../db/periods.ts'
import { findQuarantineReasons } from '../../db/quarantine.ts'
import type { Db } from '../../db/tables.ts'
import { readTaskEvents } from '../../db/task-events.ts'
import { pageByUsage, pageUsages, type UsageFilter, type UsageItem } from '../../db/usage-pages.ts'
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
  const { search, state, limit_source: is, order, page_size: size } = query
  const application = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const { appKey, defaultLimit } = application
  const filter = {
    ...(search === undefined ? {} : { search }),
    ...(state === undefined ? {} : OF_STATE[state]),
    ...(is === undefined ? {} : { limitSource: { is, defaultLimit } }),
  }
  const read = order === 'usage' ? readByUsage : readByUserId
  const { found, next } = await read(ctx.slowDb, application, query._cursor, size, filter)
  const usages = found.map((stored) => ({ usage: currentUsage(stored, application), now: stored.now }))
  const blocked = await findBlockedAmong(
    ctx.slowDb,
    appKey,
    usages.map(({ usage }) => usage.userId),
  )
  return {
    users: usages.map(({ usage, now }) => ({
      ...taskStatusWithPercents(usage, now),
      limit_source: sourceOf(usage.limit, application),
      resets_at: usage.endsAt?.toISOString() ?? null,
      blocked_until: blocked.get(usage.userId)?.toISOString() ?? null,
    })),
    _cursor: next === null ? null : writeCursor(next),
  }
})

/** Reads a page of users in one order, and the values of the cursor to the next page. */
type ReadPage = (
  db: Db,
  application: AssignedApplication,
  cursor: string | undefined,
  size: number,
  filter: UsageFilter,
) => Promise<{ readonly found: readonly UsageItem[]; readonly next: readonly (string | number)[] | null }>

const readByUserId: ReadPage = async (db, application, cursor, size, filter) => {
  const [after = ''] = readCursor(cursor, ['string']) ?? []
  // Reads one user more than the page holds, to find out whether there is a next page.
  const page = await pageUsages(db, application, after, size + 1, filter)
  const found = [...page.items(0, size)]
  const next = page.count > size ? found.at(-1)?.userId : page.next
  return { found, next: typeof next === 'string' ? [next] : null }
}

const readByUsage: ReadPage = async (db, application, cursor, size, filter) => {
  const [hundredths, userId] = readCursor(cursor, ['number', 'string']) ?? []
  const after = hundredths === undefined || userId === undefined ? null : { hundredths, userId }
  const keys = await pageByUsage(db, application, after, size + 1, filter)
  const page = keys.slice(0, size)
  const usages = await readUsages(
    db,
    page.map((key) => ({ appKey: application.appKey, userId: key.userId })),
  )
  const byId = new Map(usages.map((usage) => [usage.userId, usage]))
  const last = page.at(-1)
  return {
    // A user may have been deleted since.
    found: page.flatMap((key) => byId.get(key.userId) ?? []),
    next: keys.length > size && last !== undefined ? [last.hundredths, last.userId] : null,
  }
}

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

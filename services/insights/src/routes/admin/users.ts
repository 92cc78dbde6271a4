import * as endpoints from '@onward/contract'
import { isUuid, Refusal } from '@onward/runtime'
import type { ApplicationWithDefault } from '../../db/applications.ts'
import { findBlockedUntil } from '../../db/blocking.ts'
import { listNotices } from '../../db/delivery-list.ts'
import { readUsage } from '../../db/periods.ts'
import { findQuarantineReason } from '../../db/quarantine.ts'
import { readTaskEvents } from '../../db/task-events.ts'
import { findFirstSeen } from '../../db/users.ts'
import { userIdProblem } from '../../rules/ids.ts'
import { periodAt } from '../../rules/period.ts'
import { currentUsage, taskStatusWithPercents } from '../../rules/status.ts'
import { adminRoute, invalidParameters, requireAssigned } from '../route.ts'

export const getUserDetailRoute = adminRoute(endpoints.getUserDetail, async (ctx, { query, workspaceId }) => {
  const problem = userIdProblem(query.user_id)
  if (problem !== undefined) throw invalidParameters(`user_id: ${problem}`)
  const application = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const user = { appKey: application.appKey, userId: query.user_id }
  const [usage, firstSeen] = await Promise.all([readUsage(ctx.db, user), findFirstSeen(ctx.db, user)])
  if (usage === undefined || firstSeen === undefined) throw new Refusal('user_not_found', 'there is no such user')
  const period = usage.period ?? (usage.anchor && periodAt(usage.anchor, application.limitPeriods, usage.now))
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
    notices: notices.map(({ kind, at, deliveries }) => ({ event_name: kind, at: at.toISOString(), deliveries })),
  }
})

/** The limit of a user is one number, whoever set it. So only its value shows where it comes from. */
function sourceOf(limit: number, { bulkLimit, defaultLimit }: ApplicationWithDefault): 'bulk' | 'default' | 'own' {
  if (limit === bulkLimit) return 'bulk'
  return limit === defaultLimit ? 'default' : 'own'
}

export const readTaskRoute = adminRoute(endpoints.readTask, async (ctx, { params, query, workspaceId }) => {
  const { appKey } = await requireAssigned(ctx.db, workspaceId, query.app_key)
  const id = params.call_id.toLowerCase()
  const event = isUuid(id) ? (await readTaskEvents(ctx.db, [id])).get(id) : undefined
  if (event?.appKey === appKey) return { counted: true, occurred_at: event.occurredAt.toISOString(), quarantined: null }
  const quarantined = isUuid(id) ? await findQuarantineReason(ctx.db, appKey, id) : undefined
  return { counted: false, occurred_at: null, quarantined: quarantined ?? null }
})

import { readCallHours, readCalls, readHours, resendCalls, runRetention } from '@onward/contract'
import { readSpan, retainPartitions, writeCursor } from '@onward/runtime'
import { CALL_LOG } from '../../db/calls.ts'
import * as reconcile from '../../db/reconcile.ts'
import { resendTasks } from '../../reconcile/resend.ts'
import { pageOfCalls, presentCall, readCallIdCursor } from '../calls.ts'
import { route } from '../route.ts'

export const readCallsRoute = route(readCalls, async (ctx, { query }) => {
  const { page, _cursor } = await pageOfCalls(ctx.slowDb, { appKey: query.app_key, userId: query.user_id }, query, query._cursor)
  return { calls: page.map((call) => ({ ...presentCall(call), app_key: call.appKey, user_id: call.userId })), _cursor }
})

export const readCallHoursRoute = route(readCallHours, async (ctx, { query }) => {
  const { since, until } = readSpan(query)
  // Open calls are read first: a call that ends between the two reads then appears in both rather than in neither.
  const { openCalls, outboxOldestAt } = await reconcile.readPending(ctx.slowDb, until)
  const hours = await readHours(since, until, (from, to) => reconcile.readCallHours(ctx.slowDb, from, to))
  return { hours, open_calls: openCalls, outbox_oldest_at: outboxOldestAt?.toISOString() ?? null }
})

/** Maximum number of tasks that one request sends again. */
const RESENT_MAX = 50_000

export const resendCallsRoute = route(resendCalls, async (ctx, { body }) => {
  const { tasks, sentAt, last } = await resendTasks({ ...ctx, db: ctx.slowDb }, readSpan(body), readCallIdCursor(body._cursor), RESENT_MAX)
  return { tasks, sent_at: sentAt.toISOString(), _cursor: last === null ? null : writeCursor([last]) }
})

export const runRetentionRoute = route(runRetention, async (ctx) => {
  const { made, dropped, deleted } = await retainPartitions(ctx.slowDb, CALL_LOG, ctx.config.callsKeptDays)
  return { made, dropped, deleted: [{ table: `${CALL_LOG.table}_default`, rows: deleted }] }
})

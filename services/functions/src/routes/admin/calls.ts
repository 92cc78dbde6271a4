import { readCallHours, readCalls, resendCalls, runRetention } from '@onward/contract'
import { readSpan, retainPartitions, writeCursor } from '@onward/runtime'
import { CALL_LOG } from '../../db/calls.ts'
import * as reconcile from '../../db/reconcile.ts'
import { pageOfCalls, presentCall, readCallIdCursor } from '../calls.ts'
import { route } from '../route.ts'

export const readCallsRoute = route(readCalls, async (ctx, { query }) => {
  const { page, _cursor } = await pageOfCalls(ctx.db, { appKey: query.app_key, userId: query.user_id }, query, query._cursor)
  return { calls: page.map((call) => ({ ...presentCall(call), app_key: call.appKey, user_id: call.userId })), _cursor }
})

export const readCallHoursRoute = route(readCallHours, async (ctx, { query }) => {
  const { since, until } = readSpan(query)
  // Open calls are read first: a call that ends between the two reads then appears in both rather than in neither.
  const { openCalls, outboxOldestAt } = await reconcile.readPending(ctx.db, until)
  const hours = await reconcile.readCallHours(ctx.db, since, until)
  return {
    hours: hours.map(({ hour, tasks, bits }) => ({ hour: hour.toISOString(), tasks, xor: hexOf(bits) })),
    open_calls: openCalls,
    outbox_oldest_at: outboxOldestAt?.toISOString() ?? null,
  }
})

/** Converts 128 binary digits to 32 hexadecimal digits. */
function hexOf(bits: string): string {
  return BigInt(`0b${bits}`).toString(16).padStart(32, '0')
}

/** Maximum number of calls in one statement, and of statements in one request. */
const BATCH = 5_000
const BATCHES_MAX = 10

export const resendCallsRoute = route(resendCalls, async (ctx, { body }) => {
  const span = readSpan(body)
  let after = readCallIdCursor(body._cursor)
  let tasks = 0
  for (let batch = 1; ; batch++) {
    const sent = await reconcile.resendCalls(ctx.db, span, after, BATCH, ctx.config.taskBatchMax)
    tasks += sent.tasks
    ctx.metrics.resent.inc(sent.tasks)
    const next = sent.tasks === BATCH ? sent.last : null
    if (next === null || batch === BATCHES_MAX) {
      return { tasks, sent_at: sent.sentAt.toISOString(), _cursor: next === null ? null : writeCursor([next]) }
    }
    after = next
  }
})

export const runRetentionRoute = route(runRetention, async (ctx) => {
  const { made, dropped, deleted } = await retainPartitions(ctx.db, CALL_LOG, ctx.config.callsKeptDays)
  return { made, dropped, deleted: [{ table: `${CALL_LOG.table}_default`, rows: deleted }] }
})

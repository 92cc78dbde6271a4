import { readCall, readCalls, runRetention } from '@onward/contract'
import { isUuid, Refusal, readTime, timeOfUuid, writeCursor } from '@onward/runtime'
import { appMessageOf } from '../../call/app-message.ts'
import { CALL_LOG, findLoggedCall, type LoggedCall, searchCalls } from '../../db/calls.ts'
import { retainCalls } from '../../statistics/count-calls.ts'
import { presentBodies, presentCall, readCallIdCursor } from '../calls.ts'
import { route } from '../route.ts'

export const readCallsRoute = route(readCalls, async (ctx, { query }) => {
  const search = {
    workspaceId: query.workspace_id,
    appKey: query.app_key,
    userId: query.user_id,
    functionName: query.function_name,
    app: query.app?.toLowerCase(),
    outcome: query.outcome,
    networkCode: query.network_code,
    failed: query.failed,
    minDurationMs: query.min_duration_ms,
    requestId: query.request_id,
    tokenId: query.token_id,
    text: query.search,
    since: readTime('since', query.since),
    until: readTime('until', query.until),
    after: query.after,
    internal: query.internal,
  }
  const { calls, reached } = await searchCalls(ctx.slowDb, search, readCallIdCursor(query._cursor), query.page_size + 1)
  const page = calls.slice(0, query.page_size)
  const next = calls.length > page.length ? page.at(-1)?.id : reached
  return {
    calls: page.map(presentAdminCall),
    _cursor: next ? writeCursor([next]) : null,
    _reached: reached === null ? null : timeOfUuid(reached).toISOString(),
  }
})

export const readCallRoute = route(readCall, async (ctx, { params, query }) => {
  const found = isUuid(params.call_id) ? await findLoggedCall(ctx.db, params.call_id, query.workspace_id) : undefined
  if (found === undefined) throw new Refusal('call_not_found', 'there is no such call')
  return {
    ...presentAdminCall(found),
    request_id: found.requestId,
    ...presentBodies(found),
  }
})

function presentAdminCall(call: LoggedCall & { readonly output: string | null }) {
  const failed = call.outcome !== 'answered' || (call.networkCode ?? 0) >= 400
  const message = failed && call.output !== null ? appMessageOf(JSON.parse(call.output)) : undefined
  return { ...presentCall(call), app_key: call.appKey, user_id: call.userId, ...(message !== undefined && { message }) }
}

export const runRetentionRoute = route(runRetention, async (ctx) => {
  const { made, dropped, deleted, hourRows } = await retainCalls(ctx.slowDb, ctx.config.callsKeptDays)
  return {
    made,
    dropped,
    deleted: [
      { table: `${CALL_LOG.table}_default`, rows: deleted },
      { table: 'call_hour', rows: hourRows },
    ],
  }
})

import { ERROR_HELP, readCall, readCalls, runRetention } from '@onward/contract'
import { isUuid, Refusal, readTime, timeOfUuid, writeCursor } from '@onward/runtime'
import { appMessageOf } from '../../call/app-message.ts'
import { CALL_LOG, findLoggedCall, type LoggedCall, searchCalls } from '../../db/calls.ts'
import { findRefusedCall, type RefusedCall, searchRefusedCalls } from '../../db/refused-calls.ts'
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
    outcome: query.outcome === 'refused' ? undefined : query.outcome,
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
  const [before, max] = [readCallIdCursor(query._cursor), query.page_size + 1]
  const made = query.outcome === 'refused' ? NONE : await searchCalls(ctx.slowDb, search, before, max)
  const asked = query.outcome === 'refused' || (query.refused && query.outcome === undefined)
  const refused = asked ? await searchRefusedCalls(ctx.slowDb, search, before, max) : NONE
  // Below the id at which a search ended, rows of its table can be missing.
  const reaches = [made.reached, refused.reached].filter((id) => id !== null)
  const ended = reaches.reduce<string | null>((last, id) => (last === null || id > last ? id : last), null)
  const calls = [...made.calls.map(presentAdminCall), ...refused.calls.map(presentRefused)]
    .filter(({ id }) => ended === null || id >= ended)
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, max)
  const reached = calls.length === max ? null : ended
  const page = calls.slice(0, query.page_size)
  const next = calls.length > page.length ? page.at(-1)?.id : reached
  return {
    calls: page,
    _cursor: next ? writeCursor([next]) : null,
    _reached: reached === null ? null : timeOfUuid(reached).toISOString(),
  }
})

export const readCallRoute = route(readCall, async (ctx, { params, query }) => {
  const found = isUuid(params.call_id) ? await findLoggedCall(ctx.db, params.call_id, query.workspace_id) : undefined
  if (found === undefined) {
    const refused = isUuid(params.call_id) ? await findRefusedCall(ctx.db, params.call_id, query.workspace_id) : undefined
    if (refused === undefined) throw new Refusal('call_not_found', 'there is no such call')
    const { remedy } = ERROR_HELP[refused.code]
    return { ...presentRefused(refused), request_id: refused.requestId, bodies: 'not_kept' as const, remedy }
  }
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

const NONE = { calls: [], reached: null }

function presentRefused(call: RefusedCall) {
  return {
    id: call.id,
    app_key: call.appKey,
    user_id: call.userId,
    function_name: call.functionName,
    function_version: null,
    app: call.app,
    connected_account_id: null,
    outcome: 'refused' as const,
    network_code: null,
    started_at: call.refusedAt.toISOString(),
    duration_ms: null,
    ...(call.via === null ? {} : { via: call.via }),
    message: call.message,
    refusal: {
      status: call.status,
      code: call.code,
      error_details: [...call.details],
      approval_id: call.approvalId,
      unstored_before: call.unstored,
    },
  }
}

export const runRetentionRoute = route(runRetention, async (ctx) => {
  const { made, dropped, deleted, hourRows, refusedRows } = await retainCalls(ctx.slowDb, ctx.config.callsKeptDays)
  return {
    made,
    dropped,
    deleted: [
      { table: `${CALL_LOG.table}_default`, rows: deleted },
      { table: 'call_hour', rows: hourRows },
      { table: 'refused_call', rows: refusedRows },
    ],
  }
})

import { type CallItem, type CallOutcome, getCall, listCalls } from '@onward/contract'
import { cutPage, isUuid, Refusal, readCursor, readTime, type UserKey } from '@onward/runtime'
import { readStored } from '../call/stored-body.ts'
import { findCall, type LoggedBodies, type LoggedCall, OVER_QUOTA, selectCalls } from '../db/calls.ts'
import type { Db } from '../db/tables.ts'
import { route } from './route.ts'

export const listCallsRoute = route(listCalls, async (ctx, { caller, query, body }) => {
  const { page, _cursor } = await pageOfCalls(ctx.db, caller, body, body._cursor || query._cursor)
  return { calls: page.map(presentCall), _cursor }
})

export const getCallRoute = route(getCall, async (ctx, { caller, params }) => {
  const found = isUuid(params.call_id) ? await findCall(ctx.db, caller, params.call_id) : undefined
  if (found === undefined) throw new Refusal('call_not_found', 'you have no such call')
  return { ...presentCall(found), ...presentBodies(found) }
})

/** Converts the stored bodies of a call to their wire form. */
export function presentBodies({ arguments: args, output }: LoggedBodies) {
  if (args === OVER_QUOTA.arguments) return { bodies: 'over_quota' as const }
  const [sent, received] = [args, output].map((stored) => (stored === null ? undefined : readStored(stored)))
  const cut = {
    ...(sent?.length !== undefined && { arguments: sent.length }),
    ...(received?.length !== undefined && { output: received.length }),
  }
  return {
    bodies: args === null ? ('not_kept' as const) : ('kept' as const),
    ...(sent && { arguments: sent.value }),
    ...(received && { output: received.value }),
    ...(Object.keys(cut).length > 0 && { cut }),
  }
}

/** Converts a row of the calls log to its wire form. */
export function presentCall(call: LoggedCall): CallItem {
  return {
    id: call.id,
    function_name: call.functionName,
    function_version: call.functionVersion,
    app: call.app,
    connected_account_id: call.accountId,
    outcome: call.outcome,
    network_code: call.networkCode,
    started_at: call.startedAt.toISOString(),
    duration_ms: call.durationMs,
    ...(call.internal ? { internal: true } : {}),
    ...(call.via === null ? {} : { via: call.via }),
  }
}

type Filters = {
  readonly function_name?: string
  readonly app?: string
  readonly outcome?: CallOutcome
  readonly since?: string
  readonly until?: string
  readonly internal?: boolean
  readonly page_size: number
}

/** Returns a page of the calls of a user. */
async function pageOfCalls(
  db: Db,
  owner: UserKey,
  filters: Filters,
  cursor: string | null | undefined,
): Promise<{ page: LoggedCall[]; _cursor: string | null }> {
  const before = readCallIdCursor(cursor)
  const { function_name: functionName, app, outcome, since, until, internal = false, page_size: size } = filters
  const filter = {
    appKey: owner.appKey,
    userId: owner.userId,
    functionName,
    app: app?.toLowerCase(),
    outcome,
    since: readTime('since', since),
    until: readTime('until', until),
    internal,
  }
  return cutPage(await selectCalls(db, filter, before, size + 1), size, ({ id }) => [id])
}

/** Returns the call id in a cursor; null for the first page. Throws a Refusal for any other cursor. */
export function readCallIdCursor(cursor: string | null | undefined): string | null {
  const id = readCursor(cursor, ['string'])?.[0] ?? null
  if (id === null || isUuid(id)) return id
  throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier response of this list'])
}

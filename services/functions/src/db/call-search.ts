import type { CallOutcome } from '@onward/contract'
import { firstUuidAt, isUuidv7, timeOfUuid } from '@onward/runtime'
import { sql } from 'kysely'
import { CALL_COLUMNS, callOf, type LoggedCall, lowestIdAfter, lowestIdSince } from './calls.ts'
import type { Db } from './tables.ts'

/** Maximum number of rows that one search compares with its filters. */
const COMPARED_MAX = 100_000
/** Maximum difference between the times in the ids of a request and of its call. The clocks of a process and of Postgres can differ. */
const REQUEST_SLACK_MS = 600_000

export type CallSearch = {
  readonly workspaceId?: string | undefined
  readonly appKey?: string | undefined
  readonly userId?: string | undefined
  readonly functionName?: string | undefined
  readonly app?: string | undefined
  readonly outcome?: CallOutcome | undefined
  readonly networkCode?: number | undefined
  readonly failed: boolean
  readonly minDurationMs?: number | undefined
  readonly requestId?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** Only calls with a larger id. */
  readonly after?: string | undefined
  readonly internal: boolean
}

/**
 * Returns up to `max` calls that are older than the call `before`, newest first. Compares at most COMPARED_MAX rows with the filters, except
 * that an index finds the rows of a user of an application. `reached` is the id at which the search ended because of that, or else null.
 */
export async function searchCalls(
  db: Db,
  search: CallSearch,
  before: string | null,
  max: number,
): Promise<{ calls: LoggedCall[]; reached: string | null }> {
  const calls = (await matching(db, search, before).limit(max).execute()).map(callOf)
  if (calls.length === max) return { calls, reached: null }
  const end = await compared(db, search, before)
    .select('call_id')
    .offset(COMPARED_MAX - 1)
    .limit(1)
    .executeTakeFirst()
  if (end === undefined) return { calls, reached: null }
  // Calls that were logged after the first statement can move the end, so that the last one found lies behind it.
  const last = calls.at(-1)
  return { calls, reached: last !== undefined && last.id < end.call_id ? last.id : end.call_id }
}

/** Selects the rows that one search may compare, newest first. Only conditions with an index are here. */
function compared(db: Db, { appKey, userId, since, until, after, requestId }: CallSearch, before: string | null) {
  let query = db.selectFrom('call_log').orderBy('call_id', 'desc')
  if (appKey !== undefined && userId !== undefined) query = query.where('app_key', '=', appKey).where('user_id', '=', userId)
  if (since !== undefined) query = query.where('call_id', '>=', lowestIdSince(since))
  if (until !== undefined) query = query.where('call_id', '<', lowestIdAfter(until))
  if (after !== undefined) query = query.where('call_id', '>', after)
  if (before !== null) query = query.where('call_id', '<', before)
  if (requestId !== undefined && isUuidv7(requestId) && since === undefined && until === undefined) {
    const at = timeOfUuid(requestId).getTime()
    query = query
      .where('call_id', '>=', firstUuidAt(new Date(at - REQUEST_SLACK_MS)))
      .where('call_id', '<', firstUuidAt(new Date(at + REQUEST_SLACK_MS)))
  }
  return query
}

function matching(db: Db, search: CallSearch, before: string | null) {
  const { workspaceId, appKey, userId, functionName, app, outcome, networkCode, failed, minDurationMs, requestId, since, until } = search
  const newest = compared(db, search, before)
    .select([...CALL_COLUMNS, 'request_id'])
    .limit(COMPARED_MAX)
  let query = db.selectFrom(newest.as('newest')).select(CALL_COLUMNS).where('internal', '=', search.internal).orderBy('call_id', 'desc')
  if (workspaceId !== undefined) query = query.where('app_key', 'in', appKeysOf(db, workspaceId))
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (functionName !== undefined) query = query.where('function_name', '=', functionName)
  if (app !== undefined) query = query.where('app', '=', app)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (networkCode !== undefined) query = query.where('network_code', '=', networkCode)
  if (failed) query = query.where(sql<boolean>`(outcome <> 'answered' or network_code >= 400)`)
  if (minDurationMs !== undefined) query = query.where('duration_ms', '>=', minDurationMs)
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (since !== undefined) query = query.where('occurred_at', '>=', since)
  if (until !== undefined) query = query.where('occurred_at', '<', until)
  return query
}

/** Selects the App-Keys of a workspace, also those of deleted applications, whose calls stay in the log. */
function appKeysOf(db: Db, workspaceId: string) {
  return db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId)
}

/** `arguments` and `output` are JSON text; null when they were not stored. */
export type StoredCall = LoggedCall & {
  readonly requestId: string | null
  readonly arguments: string | null
  readonly output: string | null
}

/** Returns a call of an application of the workspace, or of any application without one. */
export async function findLoggedCall(db: Db, id: string, workspaceId: string | undefined): Promise<StoredCall | undefined> {
  let query = db
    .selectFrom('call_log')
    .select([...CALL_COLUMNS, 'request_id', 'arguments', 'output'])
    .where('call_id', '=', id)
  if (workspaceId !== undefined) query = query.where('app_key', 'in', appKeysOf(db, workspaceId))
  const row = await query.executeTakeFirst()
  return row && { ...callOf(row), requestId: row.request_id, arguments: row.arguments, output: row.output }
}

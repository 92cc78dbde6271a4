import type { ErrorCode } from '@onward/contract'
import { firstUuidAt, type UserKey } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import { appKeysOf, type CallSearch, endOf, searched } from './calls.ts'
import type { Db, Tables } from './tables.ts'

export type RefusedCall = UserKey & {
  readonly id: string
  readonly functionName: string
  readonly app: string | null
  readonly via: string | null
  readonly requestId: string
  readonly tokenId: string | null
  readonly refusedAt: Date
  readonly status: number
  readonly code: ErrorCode
  readonly message: string
  readonly details: readonly string[]
  readonly approvalId: string | null
  /** Refused calls of the application that were not stored since the row before. */
  readonly unstored: number
}

/** Stores at most 500 rows. */
export async function insertRefusedCalls(db: Db, calls: readonly RefusedCall[]): Promise<void> {
  const rows = calls.map((call) => ({
    call_id: call.id,
    app_key: call.appKey,
    user_id: call.userId,
    function_name: call.functionName,
    app: call.app,
    via: call.via,
    request_id: call.requestId,
    token_id: call.tokenId,
    occurred_at: call.refusedAt,
    status: call.status,
    code: call.code,
    message: call.message,
    details: JSON.stringify(call.details),
    approval_id: call.approvalId,
    unstored: call.unstored,
  }))
  await db.insertInto('refused_call').values(rows).execute()
}

/** Returns up to `max` refused calls as `searchCalls` does; none for filters of what an app answered, or of the time that it took. */
export async function searchRefusedCalls(
  db: Db,
  search: CallSearch,
  before: string | null,
  max: number,
): Promise<{ calls: RefusedCall[]; reached: string | null }> {
  const { workspaceId, appKey, userId, functionName, app, requestId, tokenId, text, since, until } = search
  if (search.failed || search.internal || search.networkCode !== undefined || search.minDurationMs !== undefined) {
    return { calls: [], reached: null }
  }
  let query = db
    .selectFrom(searched(db, 'refused_call', search, before).selectAll().as('newest'))
    .selectAll()
    .orderBy('call_id', 'desc')
    .limit(max)
  if (workspaceId !== undefined) query = query.where('app_key', 'in', appKeysOf(db, workspaceId))
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (functionName !== undefined) query = query.where('function_name', '=', functionName)
  if (app !== undefined) query = query.where('app', '=', app)
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (tokenId !== undefined) query = query.where('token_id', '=', tokenId)
  if (text !== undefined) query = query.where(contains(text))
  if (since !== undefined) query = query.where('occurred_at', '>=', since)
  if (until !== undefined) query = query.where('occurred_at', '<', until)
  const calls = (await query.execute()).map((row) => refusedOf(row as unknown as Selectable<Tables['refused_call']>))
  return { calls, reached: calls.length === max ? null : await endOf(db, 'refused_call', search, before, calls.at(-1)?.id) }
}

function contains(text: string) {
  const columns = ['user_id', 'function_name', 'code', 'message', 'details']
  const found = columns.map((name) => sql<boolean>`strpos(lower(${sql.ref(name)}), ${text.toLowerCase()}) > 0`)
  return sql<boolean>`(request_id = ${text} or ${sql.join(found, sql` or `)})`
}

/** Returns a refused call of an application of the workspace, or of any application without one. */
export async function findRefusedCall(db: Db, id: string, workspaceId: string | undefined): Promise<RefusedCall | undefined> {
  let query = db.selectFrom('refused_call').selectAll().where('call_id', '=', id)
  if (workspaceId !== undefined) query = query.where('app_key', 'in', appKeysOf(db, workspaceId))
  const row = await query.executeTakeFirst()
  return row && refusedOf(row)
}

function refusedOf(row: Selectable<Tables['refused_call']>): RefusedCall {
  return {
    id: row.call_id,
    appKey: row.app_key,
    userId: row.user_id,
    functionName: row.function_name,
    app: row.app,
    via: row.via,
    requestId: row.request_id,
    tokenId: row.token_id,
    refusedAt: row.occurred_at,
    status: row.status,
    code: row.code as ErrorCode,
    message: row.message,
    details: JSON.parse(row.details),
    approvalId: row.approval_id,
    unstored: row.unstored,
  }
}

const DELETED_MAX = 1_000

/** Deletes the rows that are older than this number of days, 1,000 with each statement. Returns their number. */
export async function deleteOldRefusedCalls(db: Db, keptDays: number, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  for (let last = DELETED_MAX; last === DELETED_MAX && signal?.aborted !== true; deleted += last) {
    const oldest = firstUuidAt(new Date(Date.now() - keptDays * 86_400_000))
    const { numAffectedRows = 0n } = await sql`
      delete from refused_call where call_id = any(array(
        select call_id from refused_call where call_id < ${oldest} order by call_id limit ${DELETED_MAX}))`.execute(db)
    last = Number(numAffectedRows)
  }
  return deleted
}

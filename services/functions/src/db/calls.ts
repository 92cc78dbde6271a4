import type { CallOutcome } from '@onward/contract'
import { firstUuidAt, isUuidv7, type PartitionedTable, timeOfUuid, type UserKey } from '@onward/runtime'
import { type Selectable, sql } from 'kysely'
import type { Attempt } from './attempts.ts'
import type { Db, Tables } from './tables.ts'

export const CALL_LOG: PartitionedTable = { table: 'call_log', every: 'month' }

export type LoggedCall = {
  readonly id: string
  readonly appKey: string
  readonly userId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly app: string
  readonly accountId: number | null
  readonly outcome: CallOutcome
  readonly networkCode: number | null
  readonly startedAt: Date
  readonly durationMs: number | null
  /** Whether the service itself made the call. Such a call is not a task. */
  readonly internal: boolean
  /** How the call came in: null for the API, or else `mcp`, possibly with `:` and the client's name. */
  readonly via: string | null
}

type CallFilter = {
  readonly appKey: string
  readonly userId: string
  readonly functionName?: string | undefined
  readonly app?: string | undefined
  readonly outcome?: CallOutcome | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  readonly internal: boolean
}

/** The columns of a `LoggedCall`. */
const CALL_COLUMNS = [
  'call_id',
  'app_key',
  'user_id',
  'function_name',
  'function_version',
  'app',
  'connected_account_id',
  'outcome',
  'network_code',
  'occurred_at',
  'duration_ms',
  'internal',
  'via',
] as const

/** Returns up to `max` calls of a user that are older than the call `before`, newest first. Ids are UUIDv7, so they are in order of time. */
export async function selectCalls(db: Db, filter: CallFilter, before: string | null, max: number): Promise<LoggedCall[]> {
  const now = new Date()
  const month = firstUuidAt(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)))
  if (before !== null && before <= month) return await selectBetween(db, filter, null, before, max)
  // The newest partition is read first, and is usually enough: a query over all partitions searches each of them.
  const newest = await selectBetween(db, filter, month, before, max)
  if (newest.length === max) return newest
  return [...newest, ...(await selectBetween(db, filter, null, month, max - newest.length))]
}

async function selectBetween(db: Db, filter: CallFilter, from: string | null, before: string | null, max: number): Promise<LoggedCall[]> {
  let query = db
    .selectFrom('call_log')
    .select(CALL_COLUMNS)
    .where('app_key', '=', filter.appKey)
    .where('user_id', '=', filter.userId)
    .where('internal', '=', filter.internal)
  if (filter.functionName !== undefined) query = query.where('function_name', '=', filter.functionName)
  if (filter.app !== undefined) query = query.where('app', '=', filter.app)
  if (filter.outcome !== undefined) query = query.where('outcome', '=', filter.outcome)
  const { since, until } = filter
  if (since !== undefined) query = query.where('occurred_at', '>=', since).where('call_id', '>=', lowestIdSince(since))
  if (until !== undefined) query = query.where('occurred_at', '<', until).where('call_id', '<', lowestIdAfter(until))
  if (from !== null) query = query.where('call_id', '>=', from)
  if (before !== null) query = query.where('call_id', '<', before)
  return (await query.orderBy('call_id', 'desc').limit(max).execute()).map(callOf)
}

/**
 * Maximum time between a call's id and its `occurred_at`. Both have the time of Postgres, but a process can make an id with a time that is a
 * heartbeat old, and stores the call later. The ids of internal calls have the time of the process.
 */
const ID_SLACK_MS = 3_600_000

/** Returns a lower bound for the ids of calls that occurred at `since` or later. */
export function lowestIdSince(since: Date): string {
  return firstUuidAt(new Date(since.getTime() - ID_SLACK_MS))
}

/** Returns an id above the ids of all calls that occurred before `until`. */
export function lowestIdAfter(until: Date): string {
  return firstUuidAt(new Date(until.getTime() + ID_SLACK_MS))
}

/** JSON text; null when bodies are not stored. */
export type LoggedBodies = { readonly arguments: string | null; readonly output: string | null }

/** Stored in place of the bodies of a call whose application has used up its quota of the day. The arguments of a call are always an object. */
export const OVER_QUOTA: LoggedBodies = { arguments: '"[not kept: the quota of the day is used up]"', output: null }

/** Returns a call of a user. */
export async function findCall(db: Db, owner: UserKey, id: string): Promise<(LoggedCall & LoggedBodies) | undefined> {
  const row = await db
    .selectFrom('call_log')
    .select([...CALL_COLUMNS, 'arguments', 'output'])
    .where('call_id', '=', id)
    .where('app_key', '=', owner.appKey)
    .where('user_id', '=', owner.userId)
    .executeTakeFirst()
  return row && { ...callOf(row), arguments: row.arguments, output: row.output }
}

type Row = Pick<Selectable<Tables['call_log']>, (typeof CALL_COLUMNS)[number]>

function callOf(row: Row): LoggedCall {
  return {
    id: row.call_id,
    appKey: row.app_key,
    userId: row.user_id,
    functionName: row.function_name,
    functionVersion: row.function_version,
    app: row.app,
    accountId: row.connected_account_id === null ? null : Number(row.connected_account_id),
    outcome: row.outcome,
    networkCode: row.network_code,
    startedAt: row.occurred_at,
    durationMs: row.duration_ms,
    internal: row.internal,
    via: row.via,
  }
}

type InternalCall = Omit<Attempt, 'via' | 'requestId' | 'tokenId'> & {
  readonly outcome: CallOutcome
  readonly networkCode: number | null
  readonly startedAt: Date
  readonly durationMs: number
}

/** Logs a call that the service itself made. Such a call is not a task, so there is no outbox row. */
export async function insertInternalCall(db: Db, call: InternalCall): Promise<void> {
  await db
    .insertInto('call_log')
    .values({
      call_id: call.callId,
      app_key: call.appKey,
      user_id: call.userId,
      function_name: call.functionName,
      function_version: call.functionVersion,
      app: call.app,
      connected_account_id: call.accountId === null ? null : String(call.accountId),
      outcome: call.outcome,
      network_code: call.networkCode,
      occurred_at: call.startedAt,
      duration_ms: call.durationMs,
      internal: true,
    })
    .execute()
}

/** Maximum number of rows that one search compares with its filters. */
const COMPARED_MAX = 100_000
/** The same for a search for a text, which reads the responses of failed calls. */
const COMPARED_WITH_TEXT_MAX = 20_000
/** Maximum difference between the times in the ids of a request and of its call. The clocks of a process and of Postgres can differ. */
const REQUEST_SLACK_MS = 600_000

/** `output` is the response of a call that failed, as JSON text; null if it is longer than FAILED_OUTPUT_MAX. */
type FoundCall = LoggedCall & { readonly output: string | null }

const FAILED_OUTPUT_MAX = 10_000

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
  /** The MCP token with which the calls were made. */
  readonly tokenId?: string | undefined
  /** Part of the user id, of the name of the function or, if the call failed, of the response; or the whole request id. Ignores case. */
  readonly text?: string | undefined
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** Only calls with a larger id. */
  readonly after?: string | undefined
  readonly internal: boolean
}

/**
 * Returns up to `max` calls that are older than the call `before`, newest first. Compares at most COMPARED_MAX rows with the filters, or
 * COMPARED_WITH_TEXT_MAX with a text. Of these, an index finds the rows of a user of an application. `reached` is the id at which the search
 * ended because of that, or else null.
 */
export async function searchCalls(
  db: Db,
  search: CallSearch,
  before: string | null,
  max: number,
): Promise<{ calls: FoundCall[]; reached: string | null }> {
  const rows = await matching(db, search, before).limit(max).execute()
  const calls = rows.map((row) => ({ ...callOf(row), output: row.failed_output }))
  if (calls.length === max) return { calls, reached: null }
  return { calls, reached: await endOf(db, 'call_log', search, before, calls.at(-1)?.id) }
}

/** The tables that a search reads. */
type Searched = 'call_log' | 'refused_call'

/** Returns the id at which a search ended because it had compared the most rows; otherwise null. `last` is the last id that it found. */
export async function endOf(db: Db, table: Searched, search: CallSearch, before: string | null, last: string | undefined) {
  const end = await compared(db, table, search, before)
    .select('call_id')
    .offset(mostCompared(search) - 1)
    .limit(1)
    .executeTakeFirst()
  if (end === undefined) return null
  // Calls that were logged after the first statement can move the end, so that the last one found lies behind it.
  return last !== undefined && last < end.call_id ? last : end.call_id
}

/** Selects the rows that one search compares with its filters. */
export function searched<T extends Searched>(db: Db, table: T, search: CallSearch, before: string | null) {
  return compared(db, table, search, before).limit(mostCompared(search))
}

/** Selects the rows that one search may compare, newest first. Only conditions with an index are here, and both tables have their columns. */
function compared<T extends Searched>(
  db: Db,
  table: T,
  { appKey, userId, since, until, after, requestId }: CallSearch,
  before: string | null,
) {
  let query = db.selectFrom(table as 'call_log').orderBy('call_id', 'desc')
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

function mostCompared({ text }: CallSearch): number {
  return text === undefined ? COMPARED_MAX : COMPARED_WITH_TEXT_MAX
}

const FAILED = sql<boolean>`(outcome <> 'answered' or network_code >= 400)`

function matching(db: Db, search: CallSearch, before: string | null) {
  const {
    workspaceId,
    appKey,
    userId,
    functionName,
    app,
    outcome,
    networkCode,
    failed,
    minDurationMs,
    requestId,
    tokenId,
    text,
    since,
    until,
  } = search
  const newest = searched(db, 'call_log', search, before).select([...CALL_COLUMNS, 'request_id', 'token_id', 'output'])
  const output = sql<string | null>`case when ${FAILED} and length(output) <= ${FAILED_OUTPUT_MAX} then output end`
  let query = db
    .selectFrom(newest.as('newest'))
    .select([...CALL_COLUMNS, output.as('failed_output')])
    .where('internal', '=', search.internal)
    .orderBy('call_id', 'desc')
  if (workspaceId !== undefined) query = query.where('app_key', 'in', appKeysOf(db, workspaceId))
  if (appKey !== undefined) query = query.where('app_key', '=', appKey)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (functionName !== undefined) query = query.where('function_name', '=', functionName)
  if (app !== undefined) query = query.where('app', '=', app)
  if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (networkCode !== undefined) query = query.where('network_code', '=', networkCode)
  if (failed) query = query.where(FAILED)
  if (minDurationMs !== undefined) query = query.where('duration_ms', '>=', minDurationMs)
  if (requestId !== undefined) query = query.where('request_id', '=', requestId)
  if (tokenId !== undefined) query = query.where('token_id', '=', tokenId)
  if (text !== undefined) query = query.where(contains(text))
  if (since !== undefined) query = query.where('occurred_at', '>=', since)
  if (until !== undefined) query = query.where('occurred_at', '<', until)
  return query
}

/** The response is JSON text. Only the responses of calls that failed are read, because all of them would take long. */
function contains(text: string) {
  const [plain, quoted] = [text.toLowerCase(), JSON.stringify(text.toLowerCase()).slice(1, -1)]
  return sql<boolean>`(strpos(lower(user_id), ${plain}) > 0 or strpos(lower(function_name), ${plain}) > 0 or request_id = ${text}
    or case when ${FAILED} then strpos(lower(output), ${quoted}) > 0 else false end)`
}

/** Selects the App-Keys of a workspace, also of deleted applications, whose calls stay in the log. */
export function appKeysOf(db: Db, workspaceId: string) {
  return db.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId)
}

/** Returns the stored responses of failed calls by their ids, as JSON text; without those that were not stored or are too long. */
export async function selectOutputs(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('call_log')
    .select(['call_id', 'output'])
    .where('call_id', 'in', ids)
    .where(sql<boolean>`length(output) <= ${FAILED_OUTPUT_MAX}`)
    .execute()
  return new Map(rows.map(({ call_id, output }) => [call_id, output ?? '']))
}

/** `arguments` and `output` are JSON text; null when they were not stored. */
type StoredCall = LoggedCall & {
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

/** Returns the stored arguments of calls by their ids, as JSON text; without the calls that have none. Reads at most as many rows as ids. */
export async function selectArguments(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('call_log')
    .select(['call_id', 'arguments'])
    .where('call_id', 'in', ids)
    .where('arguments', 'is not', null)
    .execute()
  return new Map(rows.map(({ call_id, arguments: args }) => [call_id, args ?? '']))
}

/** The calls of a token. `tasks` are the calls that were sent; `complete` is false if older calls of the time were not read. */
export type TokenUsage = { readonly calls: number; readonly tasks: number; readonly failed: number; readonly complete: boolean }

/**
 * Counts the calls of a token of a user since a time. Reads at most the 100,000 newest rows of the user, which an index finds. Runs on `slowDb`,
 * for administrators only.
 */
export async function countTokenCalls(db: Db, { appKey, userId }: UserKey, tokenId: string, since: Date): Promise<TokenUsage> {
  const { rows } = await sql<TokenUsage>`
    with newest as materialized (
      select token_id, outcome, network_code from call_log
      where app_key = ${appKey} and user_id = ${userId} and call_id >= ${lowestIdSince(since)} and occurred_at >= ${since}
      order by call_id desc limit ${COMPARED_MAX}
    )
    select (count(*) filter (where token_id = ${tokenId}))::int as calls,
      (count(*) filter (where token_id = ${tokenId} and outcome <> 'unreachable'))::int as tasks,
      (count(*) filter (where token_id = ${tokenId} and ${FAILED}))::int as failed, count(*) < ${COMPARED_MAX} as complete
    from newest`.execute(db)
  return rows[0] ?? { calls: 0, tasks: 0, failed: 0, complete: true }
}

/**
 * Returns when accounts of an application were last used, by their ids. Looks at the 100 newest calls of each account's user, which an index
 * finds. Accounts that none of them used are left out.
 */
export async function findLastUses(
  db: Db,
  appKey: string,
  accounts: readonly { readonly id: number; readonly userId: string }[],
): Promise<ReadonlyMap<number, Date>> {
  const [ids, users] = [accounts.map(({ id }) => String(id)), accounts.map(({ userId }) => userId)]
  const { rows } = await sql<{ id: string; used_at: Date }>`
    select account.id, used.occurred_at as used_at
    from unnest(${ids}::bigint[], ${users}::text[]) as account (id, user_id)
    cross join lateral (
      select occurred_at
      from (
        select occurred_at, connected_account_id from call_log
        where app_key = ${appKey} and user_id = account.user_id
        order by call_id desc limit 100
      ) newest
      where connected_account_id = account.id limit 1
    ) used`.execute(db)
  return new Map(rows.map(({ id, used_at }) => [Number(id), used_at]))
}

import type { Prepared, Statement } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

export type Attempt = {
  readonly callId: string
  readonly appKey: string
  readonly userId: string
  readonly functionName: string
  readonly functionVersion: string
  readonly app: string
  readonly accountId: number | null
  /** How the call came in: null for the API, or else `mcp`, possibly with `:` and the client's name. */
  readonly via: string | null
  /** The id of the request that makes the call. */
  readonly requestId: string
  /** The MCP token with which the call is made; null for other calls. */
  readonly tokenId: string | null
}

/**
 * The commit does not wait for the disk. If Postgres crashes right after it and loses the attempt, C1 records the call without it (see
 * `recordMissing`). Only if this process ends at the same time is a call neither logged nor counted, and then it was not answered either.
 */
const INSERT_ATTEMPTS: Statement = {
  name: 'insert into call_attempt',
  text: `
    with quick as materialized (select set_config('synchronous_commit', 'off', true)), stored as (
      insert into call_attempt (call_id, app_key, user_id, function_name, function_version, app, connected_account_id, via, request_id, token_id,
        process_id)
      select *, $11::uuid from unnest(
        $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::uuid[])
    )
    select now() as now from quick`,
}

/** C0: stores call attempts before the calls are sent. Returns their `occurred_at`: the time of Postgres, which never changes. */
export async function insertAttempts(prepared: Prepared, processId: string, attempts: readonly Attempt[]): Promise<Date> {
  const [row] = await prepared.run<{ now: Date }>(INSERT_ATTEMPTS, [
    attempts.map((a) => a.callId),
    attempts.map((a) => a.appKey),
    attempts.map((a) => a.userId),
    attempts.map((a) => a.functionName),
    attempts.map((a) => a.functionVersion),
    attempts.map((a) => a.app),
    attempts.map((a) => a.accountId),
    attempts.map((a) => a.via),
    attempts.map((a) => a.requestId),
    attempts.map((a) => a.tokenId),
    processId,
  ])
  if (row === undefined) throw new Error('call attempts could not be stored: the query returned no row')
  return row.now
}

/**
 * Stores the attempt of a call that was approved, and marks the approval as used, in one statement that waits for the disk: so it is used once,
 * also if the process ends. Returns `occurred_at`; undefined if the approval was used or has expired: then do not send.
 */
export async function insertApprovedAttempt(db: Db, processId: string, attempt: Attempt, approvalId: string): Promise<Date | undefined> {
  const { callId, appKey, userId, functionName, functionVersion, app, accountId, via, requestId, tokenId } = attempt
  const { rows } = await sql<{ now: Date }>`
    with used as (
      update approval set call_id = ${callId}
      where id = ${approvalId} and result = 'approved' and call_id is null and expires_at > now()
      returning id
    )
    insert into call_attempt (call_id, app_key, user_id, function_name, function_version, app, connected_account_id, via, request_id, token_id,
      process_id)
    select ${callId}, ${appKey}, ${userId}, ${functionName}, ${functionVersion}, ${app}, ${accountId}, ${via}, ${requestId}, ${tokenId}::uuid,
      ${processId}
    from used
    returning now() as now`.execute(db)
  return rows[0]?.now
}

/** Returns the ids of the stored attempts of a process. */
export async function readAttemptIds(db: Db, processId: string): Promise<string[]> {
  const rows = await db.selectFrom('call_attempt').select('call_id').where('process_id', '=', processId).execute()
  return rows.map(({ call_id }) => call_id)
}

/** Deletes attempts of calls that were not sent. Their approvals can be used again. */
export async function deleteAttempts(db: Db, callIds: readonly string[]): Promise<void> {
  await sql`
    with deleted as (delete from call_attempt where call_id = any(${callIds}::uuid[]) returning call_id)
    update approval set call_id = null where call_id in (select call_id from deleted)`.execute(db)
}

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
}

/** C0: stores call attempts before the calls are sent. Returns their `occurred_at`: the time of Postgres, which never changes. */
export async function insertAttempts(db: Db, processId: string, attempts: readonly Attempt[]): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`
    with stored as (
      insert into call_attempt (call_id, app_key, user_id, function_name, function_version, app, connected_account_id, via, process_id)
      select *, ${processId}::uuid from unnest(
        ${attempts.map((a) => a.callId)}::uuid[],
        ${attempts.map((a) => a.appKey)}::text[],
        ${attempts.map((a) => a.userId)}::text[],
        ${attempts.map((a) => a.functionName)}::text[],
        ${attempts.map((a) => a.functionVersion)}::text[],
        ${attempts.map((a) => a.app)}::text[],
        ${attempts.map((a) => a.accountId)}::bigint[],
        ${attempts.map((a) => a.via)}::text[])
    )
    select now() as now`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('call attempts could not be stored: the query returned no row')
  return row.now
}

/** Returns the ids of the stored attempts of a process. */
export async function readAttemptIds(db: Db, processId: string): Promise<string[]> {
  const rows = await db.selectFrom('call_attempt').select('call_id').where('process_id', '=', processId).execute()
  return rows.map(({ call_id }) => call_id)
}

/** Deletes attempts of calls that were not sent. */
export async function deleteAttempts(db: Db, callIds: readonly string[]): Promise<void> {
  await sql`delete from call_attempt where call_id = any(${callIds}::uuid[])`.execute(db)
}

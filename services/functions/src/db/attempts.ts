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
}

/** C0: stores call attempts before the calls are sent. `occurred_at` is the time of Postgres and never changes. */
export async function insertAttempts(db: Db, processId: string, attempts: readonly Attempt[]): Promise<void> {
  await sql`
    insert into call_attempt (call_id, app_key, user_id, function_name, function_version, app, connected_account_id, process_id)
    select *, ${processId}::uuid from unnest(
      ${attempts.map((a) => a.callId)}::uuid[],
      ${attempts.map((a) => a.appKey)}::text[],
      ${attempts.map((a) => a.userId)}::text[],
      ${attempts.map((a) => a.functionName)}::text[],
      ${attempts.map((a) => a.functionVersion)}::text[],
      ${attempts.map((a) => a.app)}::text[],
      ${attempts.map((a) => a.accountId)}::bigint[])`.execute(db)
}

/** Deletes attempts whose insert failed, so that their calls were not sent. A failed insert may still have been committed. */
export async function deleteAttempts(db: Db, callIds: readonly string[]): Promise<void> {
  await db.deleteFrom('call_attempt').where('call_id', 'in', callIds).execute()
}

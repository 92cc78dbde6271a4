import { AUDIT_OF_USER, isOfUser, type UserTable } from '@onward/access'
import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The tables with rows about users. Task events in `outbox` are copies of calls, and stay there for seconds. */
export const USER_TABLES = {
  connected_account: { key: { id: 'bigint' }, secret: ['sealed_credentials'] },
  pending_account: { key: { id: 'bigint' }, secret: ['sealed_credentials', 'confirmation_hash'] },
  connect_session: { key: { id: 'uuid' }, secret: ['token_hash', 'browser_hash', 'sealed_progress', 'state_hash'] },
  connect_link: { key: { token_hash: 'bytea' }, secret: ['token_hash', 'browser_hash'] },
  mcp_token: { key: { id: 'uuid' }, secret: ['token_hash', 'secret_digest'] },
  mcp_sign_in: { key: { token_hash: 'bytea' }, secret: ['token_hash', 'browser_hash', 'secret_digest'] },
  mcp_authorization: { key: { id: 'uuid' }, secret: ['token_hash', 'browser_hash', 'secret_digest', 'challenge', 'state', 'code_hash'] },
  approval: { key: { id: 'uuid' }, secret: ['call_digest', 'files_digest', 'sealed_request'] },
  prediction: { key: { id: 'bigint' } },
  user_prompt: { key: { id: 'bigint' } },
  answer_quota: { key: { day: 'date' } },
  blocking: { key: { user_id: 'text' } },
  suspension: { key: { user_id: 'text' } },
  event_outbox: { key: { id: 'uuid' } },
  call_attempt: { key: { call_id: 'uuid' } },
  idempotency_record: { key: { function_name: 'text', key: 'text' }, secret: ['request_hash', 'sealed_answer'] },
  call_log: { key: { call_id: 'uuid' } },
  refused_call: { key: { call_id: 'uuid' } },
  audit_entry: AUDIT_OF_USER,
} as const satisfies Readonly<Record<string, UserTable>>

/** Maximum number of rows that one statement deletes or changes. */
export const DELETED_PAGE = 2_000

type UserTableName = keyof typeof USER_TABLES

/** Deletes up to 2,000 rows of a user. Returns their number. */
export async function deleteUserRows(db: Db, name: UserTableName, user: UserKey): Promise<number> {
  const table = sql.table(name)
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where ctid = any(array(select ctid from ${table} where ${isOfUser(user)} limit ${DELETED_PAGE}))`.execute(db)
  return Number(numAffectedRows)
}

/** Gives up to 2,000 calls of a user to the pseudonym, and deletes their arguments and outputs. Returns their number. */
export async function renameCalls(db: Db, user: UserKey, pseudonym: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update call_log set user_id = ${pseudonym}, arguments = null, output = null
    where call_id = any(array(select call_id from call_log where ${isOfUser(user)} limit ${DELETED_PAGE}))`.execute(db)
  return Number(numAffectedRows)
}

/** Returns whether a call of the user is in progress. Reads all calls in progress, which are few. */
export async function hasOpenCalls(db: Db, user: UserKey): Promise<boolean> {
  const { rows } = await sql`select from call_attempt where ${isOfUser(user)} limit 1`.execute(db)
  return rows.length > 0
}

/** Only this number of outbox rows is searched. With more, insights has a backlog, which may contain the user. */
const SEARCHED_ROWS = 500

/** Returns whether insights may not have confirmed all events of the user. */
export async function hasOpenEvents(db: Db, user: UserKey): Promise<boolean> {
  const wanted = JSON.stringify([{ app_key: user.appKey, user_id: user.userId }])
  const { rows } = await sql<{ open: boolean }>`
    select (select count(*) > ${SEARCHED_ROWS}::int or coalesce(bool_or(events @> ${wanted}::jsonb), false)
        from (select events from outbox limit ${SEARCHED_ROWS + 1}) tasks)
      or (select count(*) > ${SEARCHED_ROWS}::int or coalesce(bool_or(${isOfUser(user)}), false)
        from (select app_key, user_id from event_outbox limit ${SEARCHED_ROWS + 1}) events) as open`.execute(db)
  return rows[0]?.open === true
}

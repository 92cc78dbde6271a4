import { AUDIT_OF_USER, isOfUser, renameInAudit, type Scan, type UserTable } from '@onward/access'
import type { UserKey } from '@onward/runtime'
import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { WHOLE_JOB } from './quarantine.ts'
import type { Db } from './tables.ts'

/** Returns a property as the JSON text of an event in quarantine has it. */
const property = (name: string, value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`

const isInEvent = ({ appKey, userId }: UserKey) =>
  sql`strpos(event, ${property('app_key', appKey)}) > 0 and strpos(event, ${property('user_id', userId)}) > 0`

/** The tables with rows about users. */
export const USER_TABLES = {
  usage_user: { key: { user_id: 'text' } },
  usage_period: { key: { starts_at: 'timestamptz' } },
  usage_day: { key: { day: 'date' } },
  blocking: { key: { user_id: 'text' } },
  embed_session: { key: { id: 'uuid' }, secret: ['code_hash', 'token_hash'] },
  task_event: { key: { id: 'uuid' }, scanned: true },
  delivery: { key: { id: 'uuid' }, scanned: true },
  quarantine: { key: { id: 'bigint' }, secret: ['digest'], isOf: isInEvent, scanned: true },
  audit_entry: AUDIT_OF_USER,
} as const satisfies Readonly<Record<string, UserTable>>

const USAGE_TABLES = ['usage_user', 'usage_period', 'usage_day'] as const

/** Gives the limit and usage of a user to the pseudonym, which must have no usage. Returns the number of rows by table. */
export async function renameUsage(tx: Db, user: UserKey, pseudonym: string): Promise<Record<string, number>> {
  await sql`delete from usage_user where ${isOfUser({ ...user, userId: pseudonym })}`.execute(tx)
  return await changeAll(USAGE_TABLES, (table) => sql`update ${table} set user_id = ${pseudonym} where ${isOfUser(user)}`.execute(tx))
}

/** Deletes the usage, the limit state and the sessions of embedded pages of a user. A user has few. Returns the number of rows by table. */
export async function deleteUserRows(tx: Db, user: UserKey): Promise<Record<string, number>> {
  const tables = [...USAGE_TABLES, 'blocking', 'embed_session']
  return await changeAll(tables, (table) => sql`delete from ${table} where ${isOfUser(user)}`.execute(tx))
}

async function changeAll(
  tables: readonly string[],
  change: (table: RawBuilder<unknown>) => Promise<QueryResult<unknown>>,
): Promise<Record<string, number>> {
  const changed: Record<string, number> = {}
  for (const table of tables) changed[table] = Number((await change(sql.table(table))).numAffectedRows)
  return changed
}

/** How the other rows of a user are deleted, or given to the pseudonym. */
export function scansOf(user: UserKey, pseudonym: string): Readonly<Record<string, Scan>> {
  const [from, to] = [property('user_id', user.userId), property('user_id', pseudonym)]
  const renamed = sql`replace(event, ${from}, ${to})`
  // The digest of a whole message says that it is one.
  const digest = (event: typeof renamed) => sql`sha256(convert_to(job_id || ${`/${WHOLE_JOB}/`} || ${event}, 'UTF8'))`
  return {
    task_event: {
      key: ['id', 'uuid'],
      change: (keys) => [sql`update task_event set user_id = ${pseudonym} where id = any(${keys})`],
    },
    delivery: {
      key: ['id', 'uuid'],
      change: (keys) => [
        sql`delete from delivery_attempt where delivery_id = any(${keys})`,
        sql`delete from delivery where id = any(${keys})`,
      ],
    },
    quarantine: {
      key: ['id', 'bigint'],
      isOf: isInEvent,
      change: (keys) => [
        sql`update quarantine set event = ${renamed},
          digest = case when digest = ${digest(sql`event`)} then ${digest(renamed)} else digest end
          where id = any(${keys})`,
      ],
    },
    audit_entry: renameInAudit(user, pseudonym),
  }
}

import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables.ts'

export type Owner = { readonly appKey: string; readonly userId: string }

export type Account = {
  readonly id: number
  readonly app: string
  readonly userId: string
  readonly displayName: string
  readonly status: 'active' | 'expired' | 'reconnect_required'
  readonly modifiedAt: Date
}

export type SealedAccount = Account & { readonly sealedCredentials: Buffer }

const COLUMNS = ['id', 'app', 'user_id', 'display_name', 'status', 'modified_at'] as const

/** What the sealer binds an account's credentials to. */
export function accountRow(id: number): string {
  return `connected_account/${id}`
}

/** A user's accounts with one app, the one connected last first. */
export async function findAccounts(db: Kysely<Tables>, { appKey, userId }: Owner, app: string): Promise<SealedAccount[]> {
  const rows = await db
    .selectFrom('connected_account')
    .select([...COLUMNS, 'sealed_credentials'])
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('app', '=', app)
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({ ...accountOf(row), sealedCredentials: row.sealed_credentials }))
}

/** Accounts of an application, newest first; all of them, or those of one user or app. */
export async function selectAccounts(db: Kysely<Tables>, appKey: string, filter: { userId?: string; app?: string }): Promise<Account[]> {
  const rows = await db
    .selectFrom('connected_account')
    .select(COLUMNS)
    .where('app_key', '=', appKey)
    .$if(filter.userId !== undefined, (query) => query.where('user_id', '=', filter.userId as string))
    .$if(filter.app !== undefined, (query) => query.where('app', '=', filter.app as string))
    .orderBy('id', 'desc')
    .execute()
  return rows.map(accountOf)
}

/** Stores an account. `seal` gets the new row's id, for a sealed value is bound to its row. */
export async function insertAccount(
  db: Kysely<Tables>,
  account: Owner & { app: string; displayName: string },
  seal: (id: number) => Buffer,
): Promise<Account> {
  const { rows } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('connected_account', 'id')) as id`.execute(db)
  const id = Number(rows[0]?.id)
  const row = await db
    .insertInto('connected_account')
    .values({
      id: String(id),
      app_key: account.appKey,
      user_id: account.userId,
      app: account.app,
      display_name: account.displayName,
      sealed_credentials: seal(id),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return accountOf(row)
}

/** True when there was such an account. */
export async function deleteAccount(db: Kysely<Tables>, appKey: string, id: number): Promise<boolean> {
  const gone = await db.deleteFrom('connected_account').where('app_key', '=', appKey).where('id', '=', String(id)).executeTakeFirst()
  return gone.numDeletedRows === 1n
}

type Row = { id: string; app: string; user_id: string; display_name: string; status: Account['status']; modified_at: Date }

function accountOf(row: Row): Account {
  return {
    id: Number(row.id),
    app: row.app,
    userId: row.user_id,
    displayName: row.display_name,
    status: row.status,
    modifiedAt: row.modified_at,
  }
}

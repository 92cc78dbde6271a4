import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import { ACCOUNT_COLUMNS, type Account, type AccountsOfApp, accountOf } from './connected-accounts.ts'
import type { Db } from './tables.ts'

export type NewAccount = UserKey & {
  readonly app: string
  readonly displayName: string
  /** The id of the account's owner at the app; null when unknown. */
  readonly externalId: string | null
  readonly renewedAt: Date | null
}

/** Returns the id for a new account. */
export async function nextAccountId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`select nextval(pg_get_serial_sequence('connected_account', 'id')) as id`.execute(db)
  return Number(rows[0]?.id)
}

/** Maximum number of a user's accounts of one app. */
export const MAX_ACCOUNTS = 100

/**
 * Waits for other transactions that add an account of this app to the user. Returns the id of the user's account with the same `externalId`,
 * and whether the user may have one more account. Must run in a transaction, which holds the lock.
 */
export async function lockAccounts(
  tx: Db,
  { appKey, userId, app, externalId }: NewAccount,
): Promise<{ readonly sameId: number | undefined; readonly full: boolean }> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify([appKey, userId, app])}, 0))`.execute(tx)
  const { rows } = await sql<{ same: string | null; accounts: number }>`
    select max(id) filter (where external_id = ${externalId}) as same, count(*)::int as accounts
    from connected_account where app_key = ${appKey} and user_id = ${userId} and app = ${app}`.execute(tx)
  const [{ same, accounts } = { same: null, accounts: 0 }] = rows
  return { sameId: same === null ? undefined : Number(same), full: accounts >= MAX_ACCOUNTS }
}

/**
 * Inserts an account, with `newId` if given, or updates the user's account with the same `externalId`. Returns undefined if the user already
 * has `MAX_ACCOUNTS` others of the app. `seal` gets the id of the row, because a sealed value is bound to its row. Must run in a transaction.
 */
export async function upsertAccount(
  tx: Db,
  account: NewAccount,
  seal: (id: number) => Buffer,
  newId?: number,
): Promise<Account | undefined> {
  const { sameId, full } = await lockAccounts(tx, account)
  if (sameId !== undefined) return await updateAccount(tx, sameId, account, seal(sameId))
  return full ? undefined : await insertAccount(tx, account, newId ?? (await nextAccountId(tx)), seal)
}

async function insertAccount(db: Db, account: NewAccount, id: number, seal: (id: number) => Buffer): Promise<Account> {
  const row = await db
    .insertInto('connected_account')
    .values({
      id: String(id),
      app_key: account.appKey,
      user_id: account.userId,
      app: account.app,
      display_name: account.displayName,
      sealed_credentials: seal(id),
      external_id: account.externalId,
      renewed_at: account.renewedAt,
    })
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow()
  return accountOf(row)
}

async function updateAccount(
  db: Db,
  id: number,
  { displayName, renewedAt }: { displayName: string; renewedAt: Date | null },
  sealedCredentials: Buffer,
): Promise<Account> {
  const row = await db
    .updateTable('connected_account')
    .set({
      display_name: sql<string>`case when renamed then display_name else ${displayName} end`,
      sealed_credentials: sealedCredentials,
      status: 'active',
      last_error: null,
      modified_at: sql<Date>`now()`,
      version: sql<string>`version + 1`,
      renew_leased_until: null,
      renewed_at: renewedAt,
    })
    .where('id', '=', String(id))
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirstOrThrow()
  return accountOf(row)
}

/** Gives one of a user's own accounts a name that it keeps when it is connected again. Returns undefined if there is no such account. */
export async function renameAccount(db: Db, { appKey, userId }: UserKey, id: number, name: string): Promise<Account | undefined> {
  const row = await db
    .updateTable('connected_account')
    .set({ display_name: name, renamed: true })
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('id', '=', String(id))
    .returning(ACCOUNT_COLUMNS)
    .executeTakeFirst()
  return row && accountOf(row)
}

/** Makes one of a user's own accounts the preferred one of its app. Returns undefined if there is no such account. */
export async function preferAccount(db: Db, { appKey, userId }: UserKey, id: number): Promise<Account | undefined> {
  const rows = await db
    .updateTable('connected_account')
    .set({ preferred_at: sql<Date | null>`case when id = ${id} then now() end` })
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('app', '=', (own) =>
      own
        .selectFrom('connected_account')
        .select('app')
        .where('app_key', '=', appKey)
        .where('user_id', '=', userId)
        .where('id', '=', String(id)),
    )
    .returning(ACCOUNT_COLUMNS)
    .execute()
  const row = rows.find((each) => Number(each.id) === id)
  return row && accountOf(row)
}

/** Deletes an account. Returns whose it was, if it existed. */
export async function deleteAccount(db: Db, appKey: string, id: number): Promise<AccountsOfApp | undefined> {
  return await db
    .deleteFrom('connected_account')
    .where('app_key', '=', appKey)
    .where('id', '=', String(id))
    .returning(['app_key as appKey', 'user_id as userId', 'app'])
    .executeTakeFirst()
}

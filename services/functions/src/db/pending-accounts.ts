import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { NewAccount } from './account-changes.ts'
import type { Db } from './tables.ts'

type PendingAccount = NewAccount & {
  /** Null once the account is confirmed. */
  readonly sealedCredentials: Buffer | null
  /** The connected account that it became; null while it is not confirmed. */
  readonly accountId: number | null
}

/** An account that is not confirmed within a day is deleted. */
const CONFIRM_HOURS = 24
/** Maximum number of a user's pending accounts of one app. */
const MAX_PENDING = 100

/** Returns the name of a pending account's row. The sealer binds the account's credentials to it. */
export function pendingRow(id: number): string {
  return `pending_account/${id}`
}

export async function insertPending(
  db: Db,
  id: number,
  account: NewAccount,
  sealedCredentials: Buffer,
  confirmationHash: Buffer,
): Promise<void> {
  await db
    .insertInto('pending_account')
    .values({
      id: String(id),
      app_key: account.appKey,
      user_id: account.userId,
      app: account.app,
      display_name: account.displayName,
      sealed_credentials: sealedCredentials,
      external_id: account.externalId,
      renewed_at: account.renewedAt,
      confirmation_hash: confirmationHash,
    })
    .execute()
}

/** Returns a user's pending account with this confirmation, and locks its row; undefined when there is none, or it is too old. */
export async function lockPending(
  db: Db,
  { appKey, userId }: UserKey,
  id: number,
  confirmationHash: Buffer,
): Promise<PendingAccount | undefined> {
  const row = await db
    .selectFrom('pending_account')
    .selectAll()
    .where('id', '=', String(id))
    .where('app_key', '=', appKey)
    .where('user_id', '=', userId)
    .where('confirmation_hash', '=', confirmationHash)
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${CONFIRM_HOURS})`)
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      appKey,
      userId,
      app: row.app,
      displayName: row.display_name,
      externalId: row.external_id,
      renewedAt: row.renewed_at,
      sealedCredentials: row.sealed_credentials,
      accountId: row.account_id === null ? null : Number(row.account_id),
    }
  )
}

/** Deletes the credentials of a confirmed account. The row stays until it is a day old, so that the request can be repeated. */
export async function markConfirmed(db: Db, id: number, accountId: number): Promise<void> {
  await db
    .updateTable('pending_account')
    .set({ sealed_credentials: null, account_id: String(accountId) })
    .where('id', '=', String(id))
    .execute()
}

/** A pending account that was deleted: it was not confirmed in time, was confirmed a day ago, was one too many, or its user is deleted. */
export type OldPending = {
  readonly id: number
  readonly appKey: string
  readonly app: string
  /** Null when the account was confirmed. */
  readonly sealedCredentials: Buffer | null
  /**
   * Whether a connected account of the application, or a newer pending one of the user, has the same owner at the app, or may have because the
   * owner is unknown.
   */
  readonly ownerConnected: boolean
}

/** Deletes up to `max` rows that are more than a day old, and returns them. */
export async function takeOldPending(db: Db, max: number): Promise<OldPending[]> {
  return await takePending(db, sql`where created_at < now() - make_interval(hours => ${CONFIRM_HOURS}) limit ${max}`)
}

/** Deletes the oldest of a user's pending accounts of an app beyond 100, and returns them. The caller must hold the lock of `lockAccounts`. */
export async function takeExcessPending(tx: Db, { appKey, userId, app }: NewAccount): Promise<OldPending[]> {
  return await takePending(
    tx,
    sql`where app_key = ${appKey} and user_id = ${userId} and app = ${app} order by id desc offset ${MAX_PENDING}`,
  )
}

/** Deletes up to `max` of a user's pending accounts, and returns them. */
export async function takePendingOf(db: Db, { appKey, userId }: UserKey, max: number): Promise<OldPending[]> {
  return await takePending(db, sql`where app_key = ${appKey} and user_id = ${userId} limit ${max}`)
}

/** Rows that another transaction confirms at the moment stay. */
async function takePending(db: Db, selection: ReturnType<typeof sql>): Promise<OldPending[]> {
  const { rows } = await sql<{ id: string } & Omit<OldPending, 'id'>>`
    delete from pending_account old where id in (select id from pending_account ${selection} for update skip locked)
    returning id, app_key as "appKey", app, sealed_credentials as "sealedCredentials", (
      exists (
        select from connected_account c where c.app_key = old.app_key and c.app = old.app and c.external_id = old.external_id
      ) or exists (
        select from connected_account c where c.app_key = old.app_key and c.app = old.app and c.user_id = old.user_id
          and (c.external_id is null or old.external_id is null)
      ) or exists (
        select from pending_account p where p.app_key = old.app_key and p.user_id = old.user_id and p.app = old.app and p.id > old.id
          and p.created_at > now() - make_interval(hours => ${CONFIRM_HOURS}) and p.sealed_credentials is not null
          and coalesce(p.external_id = old.external_id, true)
      )
    ) as "ownerConnected"`.execute(db)
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

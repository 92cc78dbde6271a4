import type { McpAuthMethod } from '@onward/contract'
import { isStorable } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** A client that registered itself, or that was made by hand for an application. */
export type RegisteredClient = {
  readonly id: string
  /** The only application with which it works; null for all. */
  readonly appKey: string | null
  /** Null for a public client. */
  readonly secretHash: Buffer | null
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly refreshes: boolean
}

/** A client that nobody has used for this time is forgotten. Hosts then register again. */
const UNUSED_DAYS = { new: 7, used: 90 } as const

function forgetAt(use: keyof typeof UNUSED_DAYS): RawBuilder<Date> {
  return sql<Date>`now() + make_interval(days => ${UNUSED_DAYS[use]})`
}

/** Inserts a client that registered itself. */
export async function insertClient(
  db: Db,
  { id, secretHash, name, redirectUris, refreshes }: Omit<RegisteredClient, 'appKey'>,
): Promise<void> {
  const row = { id, secret_hash: secretHash, name, redirect_uris: [...redirectUris], refreshes, expires_at: forgetAt('new') }
  await db.insertInto('mcp_client').values(row).execute()
}

/** Returns a client; undefined if it is unknown or forgotten. */
export async function findClient(db: Db, id: string): Promise<RegisteredClient | undefined> {
  if (!isStorable(id)) return undefined
  const row = await db
    .selectFrom('mcp_client')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return (
    row && {
      id,
      appKey: row.app_key,
      secretHash: row.secret_hash,
      name: row.name,
      redirectUris: row.redirect_uris,
      refreshes: row.refreshes,
    }
  )
}

/** Stores that a client is used now. Changes the row once a day at most. */
export async function touchClient(db: Db, id: string): Promise<void> {
  await db
    .updateTable('mcp_client')
    .set({ expires_at: forgetAt('used') })
    .where('id', '=', id)
    .where('expires_at', '<', sql<Date>`${forgetAt('used')} - interval '1 day'`)
    .execute()
}

/** A client that was made by hand. */
export type OwnClient = {
  readonly id: string
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly authMethod: McpAuthMethod
  readonly createdAt: Date
}

/** Inserts a client of an application, which does not expire. Returns undefined if the application already has `max` clients. */
export async function insertOwnClient(
  db: Db,
  appKey: string,
  { id, name, redirectUris, authMethod, secretHash }: Omit<OwnClient, 'createdAt'> & { readonly secretHash: Buffer | null },
  max: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ created_at: Date }>`
    insert into mcp_client (id, secret_hash, name, redirect_uris, refreshes, app_key, auth_method, created_at, expires_at)
    select ${id}, ${secretHash}, ${name}, ${[...redirectUris]}::text[], true, ${appKey}, ${authMethod}, now(), 'infinity'
    where (select count(*) from mcp_client where app_key = ${appKey}) < ${max}
    returning created_at`.execute(db)
  return rows[0]?.created_at
}

/** Returns the clients of an application, oldest first. `insertOwnClient` limits their number. */
export async function selectOwnClients(db: Db, appKey: string): Promise<OwnClient[]> {
  const { rows } = await sql<OwnClient>`
    select id, name, redirect_uris as "redirectUris", auth_method as "authMethod", created_at as "createdAt"
    from mcp_client where app_key = ${appKey} order by created_at, id`.execute(db)
  return rows
}

/** Deletes a client of an application. Returns whether it existed. */
export async function deleteOwnClient(db: Db, appKey: string, id: string): Promise<boolean> {
  return (await db.deleteFrom('mcp_client').where('id', '=', id).where('app_key', '=', appKey).executeTakeFirst()).numDeletedRows === 1n
}

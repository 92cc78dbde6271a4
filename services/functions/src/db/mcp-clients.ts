import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** A client that registered itself. */
export type RegisteredClient = {
  readonly id: string
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

export async function insertClient(db: Db, { id, secretHash, name, redirectUris, refreshes }: RegisteredClient): Promise<void> {
  const row = { id, secret_hash: secretHash, name, redirect_uris: [...redirectUris], refreshes, expires_at: forgetAt('new') }
  await db.insertInto('mcp_client').values(row).execute()
}

/** Returns a client; undefined if it is unknown or forgotten. */
export async function findClient(db: Db, id: string): Promise<RegisteredClient | undefined> {
  const row = await db
    .selectFrom('mcp_client')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row && { id, secretHash: row.secret_hash, name: row.name, redirectUris: row.redirect_uris, refreshes: row.refreshes }
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

import { createHash } from 'node:crypto'
import { API_KEY_SCOPES, type ApiKeyScope } from '@onward/contract'
import { maskedSecret } from '@onward/runtime'
import { sql } from 'kysely'
import { insertEndedEmbeds } from './embed-sessions.ts'
import type { Db } from './tables.ts'

type NewKey = { readonly name: string; readonly scopes: readonly ApiKeyScope[]; readonly expiresAt: Date | null }

export type ApiKey = NewKey & {
  readonly id: string
  readonly masked: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly isReplaced: boolean
}

const COLUMNS = [
  'id',
  'name',
  'masked',
  'scopes',
  'created_at as createdAt',
  'last_used_at as lastUsedAt',
  'expires_at as expiresAt',
  sql<boolean>`replaced_by is not null`.as('isReplaced'),
] as const

const isValid = sql<boolean>`(expires_at is null or expires_at > now())`

/** Returns the SHA-256 digest that is stored instead of an API key. Keys are long and random, so a slow hash would add no security. */
export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Stores the digest of a key, and what may be shown of it. */
export async function insertWorkspaceKey(tx: Db, workspaceId: string, key: string, { name, scopes, expiresAt }: NewKey): Promise<ApiKey> {
  const row = await tx
    .insertInto('workspace_key')
    .values({
      sha256: digestOfKey(key),
      masked: maskedSecret(key),
      workspace_id: workspaceId,
      name,
      scopes: [...scopes],
      expires_at: expiresAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return withScopes(row)
}

/** A workspace that a key belongs to, and how many requests it may send in a minute. */
export type KeyHolder = {
  readonly workspaceId: string
  readonly rateLimit: number
  readonly key: { readonly id: string; readonly name: string; readonly scopes: readonly ApiKeyScope[] }
  readonly isExpired: boolean
  /** Whether the stored last use is older than a minute. */
  readonly isUseStale: boolean
}

/** Returns the workspace whose key has this digest; undefined if there is none. */
export async function findWorkspaceOfKey(db: Db, sha256: Buffer): Promise<KeyHolder | undefined> {
  const row = await db
    .selectFrom('workspace_key as k')
    .innerJoin('workspace as w', 'w.id', 'k.workspace_id')
    .select(['k.id', 'k.name', 'k.scopes', 'w.id as workspaceId', 'w.rate_limit as rateLimit'])
    .select([
      sql<boolean>`not ${isValid}`.as('isExpired'),
      sql<boolean>`last_used_at is null or last_used_at < now() - interval '1 minute'`.as('isUseStale'),
    ])
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { id, name, scopes, ...holder } = row
  return { ...holder, key: withScopes({ id, name, scopes }) }
}

/** Notes that a key was used, at most once a minute. Does not wait for another process that does so. */
export async function touchWorkspaceKey(db: Db, id: string): Promise<void> {
  await sql`
    update workspace_key set last_used_at = now() where id in (
      select id from workspace_key where id = ${id} and (last_used_at is null or last_used_at < now() - interval '1 minute')
      for update skip locked
    )`.execute(db)
}

/**
 * Makes a key, and the keys that it replaced, expire after a number of hours, unless they expire sooner. `by` is the new key. Returns when
 * the key expires.
 */
export async function replaceWorkspaceKey(tx: Db, workspaceId: string, id: string, by: string, hours: number): Promise<Date> {
  const { rows } = await sql<{ id: string; until: Date }>`
    update workspace_key
    set replaced_by = ${by}, expires_at = least(expires_at, now() + ${hours}::float8 * interval '1 hour')
    where workspace_id = ${workspaceId} and (id = ${id} or replaced_by = ${id}) returning id, expires_at as until`.execute(tx)
  await insertEndedEmbeds(tx, { keyIds: rows.map((row) => row.id) })
  return rows.find((row) => row.id === id)?.until ?? new Date()
}

/** Returns the keys of a workspace, newest first, expired keys included. */
export async function listWorkspaceKeys(db: Db, workspaceId: string): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('workspace_key')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(withScopes)
}

export async function deleteWorkspaceKey(db: Db, workspaceId: string, id: string): Promise<ApiKey | undefined> {
  return await db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('workspace_key')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (row !== undefined) await insertEndedEmbeds(tx, { keyIds: [id] })
    return row && withScopes(row)
  })
}

/** Deletes the replaced keys of a workspace that have expired, and others 30 days later, so that people can see why a key was refused. */
export async function deleteOldKeys(tx: Db, workspaceId: string): Promise<void> {
  await sql`
    delete from workspace_key
    where workspace_id = ${workspaceId}
      and expires_at < now() - case when replaced_by is null then interval '30 days' else interval '0' end`.execute(tx)
}

function withScopes<K extends { readonly scopes: ApiKeyScope[] | null }>(row: K): Omit<K, 'scopes'> & { readonly scopes: ApiKeyScope[] } {
  return { ...row, scopes: row.scopes ?? API_KEY_SCOPES }
}

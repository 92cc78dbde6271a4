import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The hashes of a new access token and, unless the client takes none, of a new refresh token. */
export type NewSecrets = { readonly access: Buffer; readonly refresh: Buffer | null }

/** A refresh token with what a refresh needs to know of its grant. */
export type RefreshToken = {
  readonly grantId: string
  readonly appKey: string
  readonly clientId: string
  readonly readOnly: boolean
  /** The application secret that made the grant, and must still be valid; null for none. */
  readonly secretDigest: Buffer | null
  /** Whether it was first used longer ago than parallel refreshes of one client explain. */
  readonly reused: boolean
}

const ACCESS_SECONDS = 3_600
/** How long a refresh token can be used again: clients send parallel refreshes, and repeat one whose response was lost. */
const GRACE_SECONDS = 60
/** How long a used refresh token is remembered, so that its use ends the grant. */
const USED_DAYS = 7

/** Inserts tokens of a grant, and deletes tokens of the grant that nobody can use any more. Returns how long the access token lasts, in seconds. */
export async function insertSecrets(tx: Db, grantId: string, { access, refresh }: NewSecrets): Promise<number> {
  await sql`
    delete from mcp_secret where grant_id = ${grantId}
      and (expires_at <= now() or used_at < now() - make_interval(days => ${USED_DAYS}))`.execute(tx)
  const { rows } = await sql<{ seconds: number }>`
    with made as (
      insert into mcp_secret (token_hash, kind, grant_id, expires_at)
      select hash, kind, id, case kind when 'access' then least(expires_at, now() + make_interval(secs => ${ACCESS_SECONDS})) else expires_at end
      from mcp_token, (values (${access}::bytea, 'access'), (${refresh}::bytea, 'refresh')) as made (hash, kind)
      where id = ${grantId} and hash is not null
      returning kind, expires_at
    )
    select floor(extract(epoch from expires_at - now()))::int as seconds from made where kind = 'access'`.execute(tx)
  return rows[0]?.seconds ?? 0
}

/** Returns the App-Key of a code or a token; undefined for an unknown one. */
export async function findAppKeyOf(db: Db, hash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ app_key: string }>`
    select app_key from mcp_authorization where code_hash = ${hash}
    union all select app_key from mcp_token where id in (select grant_id from mcp_secret where token_hash = ${hash})`.execute(db)
  return rows[0]?.app_key
}

/** Returns a refresh token that has not expired, and locks its grant. */
export async function lockRefreshToken(tx: Db, tokenHash: Buffer): Promise<RefreshToken | undefined> {
  const { rows } = await sql<RefreshToken>`
    select s.grant_id as "grantId", t.app_key as "appKey", t.client_id as "clientId", t.read_only as "readOnly",
      t.secret_digest as "secretDigest", coalesce(s.used_at < now() - make_interval(secs => ${GRACE_SECONDS}), false) as reused
    from mcp_secret s
    join mcp_token t on t.id = s.grant_id
    join application a on a.app_key = t.app_key and a.deleted_at is null
    where s.token_hash = ${tokenHash} and s.kind = 'refresh' and s.expires_at > now() and t.expires_at > now()
    for update of t`.execute(tx)
  return rows[0]
}

/** Marks a refresh token as used, unless it was used before. */
export async function markRefreshUsed(tx: Db, tokenHash: Buffer): Promise<void> {
  await tx.updateTable('mcp_secret').set({ used_at: sql<Date>`coalesce(used_at, now())` }).where('token_hash', '=', tokenHash).execute()
}

/** Ends the grant of a refresh token, or deletes an access token, if the token belongs to the client. */
export async function revokeSecret(db: Db, clientId: string, tokenHash: Buffer): Promise<void> {
  await sql`
    delete from mcp_token where client_id = ${clientId}
      and id in (select grant_id from mcp_secret where token_hash = ${tokenHash} and kind = 'refresh')`.execute(db)
  await sql`
    delete from mcp_secret where token_hash = ${tokenHash}
      and grant_id in (select id from mcp_token where client_id = ${clientId})`.execute(db)
}

const SWEEP_MAX = 10_000

/** Deletes expired clients, links, authorizations and tokens. What remains beyond the maximum waits for the next run. */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  for (const name of ['mcp_client', 'mcp_sign_in', 'mcp_authorization', 'mcp_secret']) {
    const table = sql.table(name)
    await sql`
      delete from ${table} where ctid = any(array(select ctid from ${table} where expires_at < now() limit ${SWEEP_MAX}))`.execute(db)
  }
}

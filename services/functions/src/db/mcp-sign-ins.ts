import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { McpTokenMaker } from './mcp-tokens.ts'
import type { Db } from './tables.ts'

/** How long a browser that opened a link is signed in. */
const USE_MINUTES = 30
/** How many links and signed-in browsers a user can have at once. */
const USER_MAX = 100

/**
 * Inserts a link that can be opened for `minutes`, and returns when it expires. Deletes the links of the user beyond 100 that expire first.
 */
export async function insertSignIn(
  db: Db,
  tokenHash: Buffer,
  { appKey, userId }: UserKey,
  { secretDigest, personId, personRole, rightsVersion }: McpTokenMaker,
  minutes: number,
): Promise<Date> {
  const { expires_at } = await db
    .insertInto('mcp_sign_in')
    .values({
      token_hash: tokenHash,
      app_key: appKey,
      user_id: userId,
      browser_hash: null,
      secret_digest: secretDigest,
      person_id: personId,
      person_role: personRole,
      rights_version: rightsVersion,
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  await sql`
    delete from mcp_sign_in where token_hash in (
      select token_hash from mcp_sign_in where app_key = ${appKey} and user_id = ${userId}
      order by expires_at desc offset ${USER_MAX} for update skip locked
    )`.execute(db)
  return expires_at
}

/** Returns whose link this is. Undefined if the link has expired, or if another browser has used it. */
export async function findSignIn(db: Db, tokenHash: Buffer, browserHash: Buffer): Promise<UserKey | undefined> {
  const row = await db
    .selectFrom('mcp_sign_in')
    .select(['app_key', 'user_id'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`coalesce(browser_hash, ${browserHash}) = ${browserHash}`)
    .executeTakeFirst()
  return row && { appKey: row.app_key, userId: row.user_id }
}

/** Signs a browser in with a link. Can be repeated in the same browser. Undefined as with `findSignIn`. */
export async function takeSignIn(db: Db, tokenHash: Buffer, browserHash: Buffer): Promise<UserKey | undefined> {
  const { rows } = await sql<UserKey>`
    update mcp_sign_in set
      browser_hash = ${browserHash},
      expires_at = case when browser_hash is null then now() + make_interval(mins => ${USE_MINUTES}) else expires_at end
    where token_hash = ${tokenHash} and expires_at > now() and coalesce(browser_hash, ${browserHash}) = ${browserHash}
    returning app_key as "appKey", user_id as "userId"`.execute(db)
  return rows[0]
}

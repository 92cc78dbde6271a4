import type { Actor } from '@onward/access'
import type { Language } from '@onward/texts'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** What a link opens: the page to connect `app`, or with `manage` the page of accounts, of `app` or of all apps. */
export type ConnectLink = {
  readonly appKey: string
  readonly userId: string
  readonly app: string | null
  readonly manage: boolean
  readonly redirectUri: string | null
  /** The language that the application chose; null for the browser's. */
  readonly language: Language | null
  /** What the pages call the user; null for the User-ID. */
  readonly userName: string | null
}

/** How long a new link can be opened. */
const OPEN_MINUTES = 10
/** How long the first browser can use an opened link. */
const USE_MINUTES = 30
const SWEEP_MAX = 100
/** How many links a user can have at once. */
const USER_MAX = 100

/**
 * Inserts a link and returns when it expires. `maker` is the person who makes it at the console, with whose rights it ends, or the session of
 * an embedded page. Deletes the links of the user beyond 100 that expire first, and some expired links, so that old ones do not accumulate.
 */
export async function insertLink(
  db: Db,
  tokenHash: Buffer,
  { appKey, userId, app, manage, redirectUri, language, userName }: ConnectLink,
  maker: Actor | undefined,
): Promise<Date> {
  await sql`
    delete from connect_link where token_hash in (
      select token_hash from connect_link where expires_at < now() limit ${SWEEP_MAX} for update skip locked
    )`.execute(db)
  const row = await db
    .insertInto('connect_link')
    .values({
      token_hash: tokenHash,
      app_key: appKey,
      user_id: userId,
      app,
      manage,
      redirect_uri: redirectUri,
      language,
      user_name: userName,
      browser_hash: null,
      person_id: maker?.id ?? null,
      rights_version: maker?.rightsVersion ?? null,
      expires_at: sql<Date>`now() + make_interval(mins => ${OPEN_MINUTES})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  await sql`
    delete from connect_link where token_hash in (
      select token_hash from connect_link where app_key = ${appKey} and user_id = ${userId}
      order by expires_at desc offset ${USER_MAX} for update skip locked
    )`.execute(db)
  return row.expires_at
}

/** Returns a link, and binds it to the browser if no other has opened it. Undefined if it has expired or belongs to another browser. */
export async function takeLink(db: Db, tokenHash: Buffer, browserHash: Buffer): Promise<ConnectLink | undefined> {
  const { rows } = await sql<ConnectLink>`
    update connect_link set
      browser_hash = ${browserHash},
      expires_at = case when browser_hash is null then now() + make_interval(mins => ${USE_MINUTES}) else expires_at end
    where token_hash = ${tokenHash} and expires_at > now() and coalesce(browser_hash, ${browserHash}) = ${browserHash}
    returning app_key as "appKey", user_id as "userId", app, manage, redirect_uri as "redirectUri", language,
      user_name as "userName"`.execute(db)
  return rows[0]
}

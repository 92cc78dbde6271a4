import type { EmbedHolder } from '@onward/access'
import type { EmbedView } from '@onward/contract'
import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A session that shows views of one user on an embedded page. */
export type EmbedSession = EmbedHolder & { readonly expiresAt: Date }

export type NewEmbedSession = {
  readonly appKey: string
  readonly userId: string
  readonly views: readonly EmbedView[]
  /** Null: all origins of the application. */
  readonly parentOrigins: readonly string[] | null
  readonly returnUrl: string | null
  readonly locale: string | null
  readonly minutes: number
  /** The API key that made it. The session ends with the key. */
  readonly keyId: string | null
  /** The person who made it. The session ends when the person may no longer make one. */
  readonly personId: string | null
}

/** How long the code of a link works. */
const CODE = sql`interval '5 minutes'`
/** How long a session lasts without being used. */
const IDLE = sql`interval '1 hour'`
/** A page that is opened again after its session should still say so, and lead back. */
const KEPT = sql`interval '1 day'`
/** How many sessions a user of an application can have at once, including sessions that ended within a day. */
const USER_MAX = 100

const notEnded = sql`s.ended_at is null and s.expires_at > now() and (s.key_id is null or exists (
  select from workspace_key k where k.id = s.key_id and (k.expires_at is null or k.expires_at > now())
)) and (s.person_id is null or exists (
  select from application made join person p on p.id = s.person_id
  left join membership m on m.person_id = p.id and m.workspace_id = made.workspace_id
  where made.app_key = s.app_key and (p.operator or m.role in ('developer', 'owner'))
))`
const sessionColumns = sql`s.id as "sessionId", a.workspace_id as "workspaceId", s.app_key as "appKey", s.user_id as "userId", s.views, s.expires_at as "expiresAt"`

/** Inserts a session, and deletes the oldest ones of its user beyond 100. */
export async function insertEmbedSession(
  db: Db,
  codeHash: Buffer,
  { appKey, userId, views, parentOrigins, returnUrl, locale, minutes, keyId, personId }: NewEmbedSession,
): Promise<{ readonly id: string; readonly codeExpiresAt: Date; readonly expiresAt: Date }> {
  const row = await db
    .insertInto('embed_session')
    .values({
      app_key: appKey,
      user_id: userId,
      views: [...views],
      parent_origins: parentOrigins && [...parentOrigins],
      return_url: returnUrl,
      locale,
      key_id: keyId,
      person_id: personId,
      code_hash: codeHash,
      code_expires_at: sql<Date>`now() + ${CODE}`,
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .returning(['id', 'code_expires_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  await sql`
    delete from embed_session where id in (
      select id from embed_session where app_key = ${appKey} and user_id = ${userId}
      order by created_at desc offset ${USER_MAX} for update skip locked
    )`.execute(db)
  return { id: row.id, codeExpiresAt: row.code_expires_at, expiresAt: row.expires_at }
}

/** Exchanges the code of a session for a token. Undefined if the code is wrong, old or used, or the session has ended. */
export async function takeEmbedCode(db: Db, id: string, codeHash: Buffer, tokenHash: Buffer): Promise<EmbedSession | undefined> {
  const { rows } = await sql<EmbedSession>`
    update embed_session s set code_hash = null, token_hash = ${tokenHash}, last_used_at = now()
    from application a
    where s.id = ${id} and s.code_hash = ${codeHash} and s.code_expires_at > now() and ${notEnded}
      and a.app_key = s.app_key and a.deleted_at is null
    returning ${sessionColumns}`.execute(db)
  return rows[0]
}

/** Returns the session of a token unless it has ended, and notes that it was used, at most once a minute. */
export async function touchEmbedSession(db: Db, tokenHash: Buffer): Promise<EmbedSession | undefined> {
  const { rows } = await sql<EmbedSession>`
    with used as (
      update embed_session s set last_used_at = now()
      where s.token_hash = ${tokenHash} and ${notEnded} and s.last_used_at between now() - ${IDLE} and now() - interval '1 minute'
    )
    select ${sessionColumns} from embed_session s join application a using (app_key)
    where s.token_hash = ${tokenHash} and ${notEnded} and s.last_used_at > now() - ${IDLE} and a.deleted_at is null`.execute(db)
  return rows[0]
}

/** What the page of a session needs before its code is redeemed, and after the session has ended. */
export type EmbedPage = {
  /** The origins that may show it in a frame. */
  readonly parentOrigins: readonly string[]
  readonly returnUrl: string | null
  readonly locale: string | null
}

/** Only origins that the application still has may show the page. */
export async function findEmbedPage(db: Db, id: string): Promise<EmbedPage | undefined> {
  const { rows } = await sql<EmbedPage>`
    select s.return_url as "returnUrl", s.locale, array(
      select origin from unnest(a.embed_origins) origin where s.parent_origins is null or origin = any(s.parent_origins)
    ) as "parentOrigins"
    from embed_session s join application a using (app_key)
    where s.id = ${id} and a.deleted_at is null`.execute(db)
  return rows[0]
}

/** Sessions that a change can have ended. */
type Changed = { readonly id: string } | UserSessions | { readonly keyIds: readonly string[] } | { readonly personId: string }
type UserSessions = { readonly appKey: string; readonly userId: string | undefined }

/**
 * Stores for functions which of these sessions have ended, so that functions issues no more links to connect accounts and ends earlier
 * links. Call it in the transaction that ends the sessions.
 */
export async function insertEndedEmbeds(tx: Db, changed: Changed): Promise<void> {
  await sql`
    insert into ended_right (message) select jsonb_build_object('id', s.id) from embed_session s
    where ${conditionOf(changed)} and not (${notEnded}) and s.token_hash is not null and 'accounts' = any(s.views)
      and s.last_used_at > now() - ${IDLE}`.execute(tx)
}

function conditionOf(changed: Changed) {
  if ('id' in changed) return sql`s.id = ${changed.id}`
  if ('keyIds' in changed) return sql`s.key_id = any(${changed.keyIds}::uuid[])`
  if ('personId' in changed) return sql`s.person_id = ${changed.personId}`
  return ofUser(changed)
}

function ofUser({ appKey, userId }: UserSessions) {
  return sql`s.app_key = ${appKey} and ${userId === undefined ? sql`true` : sql`s.user_id = ${userId}`}`
}

/** Ends a session of a workspace. Returns whose it was; undefined if there is none, or it has ended. */
export async function endEmbedSession(db: Db, workspaceId: string, id: string): Promise<UserKey | undefined> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<UserKey>`
      update embed_session s set ended_at = now() from application a
      where s.id = ${id} and ${notEnded} and a.app_key = s.app_key and a.workspace_id = ${workspaceId}
      returning s.app_key as "appKey", s.user_id as "userId"`.execute(tx)
    if (rows.length > 0) await insertEndedEmbeds(tx, { id })
    return rows[0]
  })
}

/** Ends the sessions of a user, or of all users of an application. Returns how many. */
export async function endEmbedSessions(db: Db, appKey: string, userId: string | undefined): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      update embed_session s set ended_at = now() where ${ofUser({ appKey, userId })} and ${notEnded}`.execute(tx)
    await insertEndedEmbeds(tx, { appKey, userId })
    return Number(numAffectedRows)
  })
}

/** Deletes sessions that expired a day ago or earlier. Returns how many. */
export async function deleteOldEmbedSessions(db: Db, max: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from embed_session where id in (
      select id from embed_session where expires_at < now() - ${KEPT} limit ${max} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}

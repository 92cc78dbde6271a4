import { ACCESS_SECONDS, type Actor } from '@onward/access'
import { type EndedRightsJob, MEMBER_ROLES } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** Access tokens that were signed before have expired by then, also if the clocks of the services differ. */
const FORGET_AFTER: RawBuilder<string> = sql`make_interval(secs => ${10 * ACCESS_SECONDS})`

/**
 * Stores that a session or rights of a person have ended, and deletes the MCP tokens and the links that the person made with these rights, or
 * the links of an embedded page. Forgets older ends. Can be repeated.
 */
export async function storeEnded(db: Db, { id, rights }: EndedRightsJob): Promise<void> {
  await db.deleteFrom('ended_right').where(sql<boolean>`stored_at < now() - ${FORGET_AFTER}`).execute()
  await db
    .insertInto('ended_right')
    .values({ holder_id: id, version: rights?.version })
    .onConflict((conflict) =>
      conflict.column('holder_id').doUpdateSet({
        version: sql<number>`greatest(ended_right.version, excluded.version)`,
        stored_at: sql<Date>`now()`,
      }),
    )
    .execute()
  if (rights === undefined) {
    // The sessions of the console make no links themselves.
    await db.deleteFrom('connect_link').where('person_id', '=', id).execute()
    return
  }
  const { version, workspace_id: workspaceId, role } = rights
  const lost = MEMBER_ROLES.slice(role === null ? 0 : MEMBER_ROLES.indexOf(role) + 1)
  const made = sql<boolean>`person_id = ${id} and coalesce(rights_version, 0) < ${version}
    and (${workspaceId}::text is null or app_key in (select app_key from application where workspace_id = ${workspaceId}))`
  // Separate statements, after the commit above: what a person makes is inserted first, and `requireRights` then checks what has ended.
  // Each becomes the next in a transaction that holds its row, so nothing escapes.
  for (const table of ['mcp_sign_in', 'mcp_authorization', 'mcp_token'] as const) {
    await db.deleteFrom(table).where(made).where(sql<boolean>`person_role = any(${lost})`).execute()
  }
  // Developers may make links.
  if (lost.includes('developer')) await db.deleteFrom('connect_link').where(made).execute()
}

/** Throws `unauthenticated` if rights of the actor have ended. Call it after the insertion of what must end with them. */
export async function requireRights(db: Db, actor: Actor | undefined): Promise<void> {
  if (actor === undefined || (await rightsNow(db, actor)) !== undefined) return
  throw new Refusal('unauthenticated', 'your rights have ended or changed; sign in again')
}

/** Returns the holder of an access token; undefined if the session has ended, or rights have since the token was signed. */
export async function rightsNow(db: Db, actor: Actor): Promise<Actor | undefined> {
  const { id, sessionId, rightsVersion } = actor
  if (sessionId === null || rightsVersion === null) return actor
  const ended = await db
    .selectFrom('ended_right')
    .select('holder_id')
    .where(({ or, and, eb }) =>
      or([eb('holder_id', '=', sessionId), and([eb('holder_id', '=', id), eb('version', '>', String(rightsVersion))])]),
    )
    .executeTakeFirst()
  return ended === undefined ? actor : undefined
}

import { type EndedRightsJob, MEMBER_ROLES } from '@onward/contract'
import { ACCESS_SECONDS, type Actor } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** Access tokens that were signed before have expired by then, also if the clocks of the services differ. */
const FORGET_AFTER: RawBuilder<string> = sql`make_interval(secs => ${10 * ACCESS_SECONDS})`

/**
 * Stores that a session or rights of a person have ended, and deletes the MCP tokens that the person made with these rights. Forgets older
 * ends. Can be repeated.
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
  if (rights === undefined) return
  const { version, workspace_id: workspaceId, role } = rights
  let ended = db.deleteFrom('mcp_token').where('person_id', '=', id).where(sql<boolean>`coalesce(rights_version, 0) < ${version}`)
  if (workspaceId !== null) {
    ended = ended.where('app_key', 'in', (query) =>
      query.selectFrom('application').select('app_key').where('workspace_id', '=', workspaceId),
    )
  }
  if (role !== null) ended = ended.where(sql<boolean>`person_role = any(${MEMBER_ROLES.slice(MEMBER_ROLES.indexOf(role) + 1)})`)
  // A statement of its own, after the commit above: `createMcpToken` inserts a token and then reads what has ended.
  await ended.execute()
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

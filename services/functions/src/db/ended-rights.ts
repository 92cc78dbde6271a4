import type { EndedRightsJob } from '@onward/contract'
import { ACCESS_SECONDS, type Actor } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './tables.ts'

/** Access tokens that were signed before have expired by then, also if the clocks of the services differ. */
const FORGET_AFTER: RawBuilder<string> = sql`make_interval(secs => ${10 * ACCESS_SECONDS})`

/**
 * Stores that a session has ended, or that the rights of a person have changed, and deletes the MCP tokens that the person made. Forgets older
 * ends.
 */
export async function storeEnded(db: Db, { id, at }: EndedRightsJob): Promise<void> {
  await db.deleteFrom('ended_right').where(sql<boolean>`stored_at < now() - ${FORGET_AFTER}`).execute()
  await db
    .insertInto('ended_right')
    .values({ holder_id: id, ended_at: new Date(at) })
    .onConflict((conflict) =>
      conflict.column('holder_id').doUpdateSet({
        ended_at: sql<Date>`greatest(ended_right.ended_at, excluded.ended_at)`,
        stored_at: sql<Date>`now()`,
      }),
    )
    .execute()
  await db.deleteFrom('mcp_token').where('person_id', '=', id).where('created_at', '<=', new Date(at)).execute()
}

/** Returns the holder of an access token; undefined if the session has ended or the rights have changed since the token was signed. */
export async function rightsNow(db: Db, actor: Actor): Promise<Actor | undefined> {
  if (actor.sessionId === null || actor.asOf === null) return actor
  const ended = await db
    .selectFrom('ended_right')
    .select('holder_id')
    .where('holder_id', 'in', [actor.sessionId, actor.id])
    .where('ended_at', '>=', actor.asOf)
    .executeTakeFirst()
  return ended === undefined ? actor : undefined
}

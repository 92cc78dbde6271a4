import type { EndedRightsJob, MemberRole } from '@onward/contract'
import { sql } from 'kysely'
import { insertEndedEmbeds } from './embed-sessions.ts'
import type { Db } from './tables.ts'

/** A message to functions. `id` is also the id of its job. */
export type EndedRight = { readonly id: string; readonly message: EndedRightsJob }

/** Stores that a session has ended, for functions. Use it in the transaction that ends the session. */
export async function insertEndedSession(tx: Db, sessionId: string): Promise<void> {
  await insertMessage(tx, { id: sessionId })
}

/**
 * Stores that rights of a person have ended, for functions: in one workspace, where the person still has `role` or none, or in all workspaces if
 * `workspaceId` is null. Use it in the transaction that takes the rights.
 */
export async function insertEndedRights(tx: Db, personId: string, workspaceId: string | null, role: MemberRole | null): Promise<void> {
  const { rights_version } = await tx
    .updateTable('person')
    .set({ rights_version: sql`rights_version + 1` })
    .where('id', '=', personId)
    .returning('rights_version')
    .executeTakeFirstOrThrow()
  await insertMessage(tx, { id: personId, rights: { version: Number(rights_version), workspace_id: workspaceId, role } })
  await insertEndedEmbeds(tx, { personId })
}

async function insertMessage(tx: Db, message: EndedRightsJob): Promise<void> {
  await tx
    .insertInto('ended_right')
    .values({ message: JSON.stringify(message) })
    .execute()
}

/** How long a message that was leased is not due again. */
const LEASE = sql`interval '3 seconds'`

/** Returns messages that are due to be published, or whose publication is due to be checked, and leases them. Takes at most 50. */
export async function leaseEnded(db: Db, size: number): Promise<EndedRight[]> {
  const { rows } = await sql<EndedRight>`
    with due as (select id from ended_right where publish_at <= now() order by publish_at limit ${size} for update skip locked)
    update ended_right e set publish_at = now() + ${LEASE} from due where e.id = due.id returning e.id, e.message`.execute(db)
  return rows
}

export async function deleteEnded(db: Db, id: string): Promise<void> {
  await db.deleteFrom('ended_right').where('id', '=', id).execute()
}

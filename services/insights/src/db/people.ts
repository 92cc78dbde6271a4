import type { MemberRole } from '@onward/contract'
import { type Selectable, sql } from 'kysely'
import { deleteUnusedIdentities } from './identities.ts'
import type { Db, Tables } from './tables.ts'

export type Person = {
  readonly id: string
  /** In lower case. */
  readonly email: string
  readonly name: string
  readonly operator: boolean
  /** Rises when rights of the person end. */
  readonly rightsVersion: number
}

export type Membership = { readonly workspaceId: string; readonly name: string; readonly role: MemberRole }

/** Returns the person with an e-mail address, who is inserted if there is none. `operator` changes only if it is given. */
export async function putPerson(db: Db, email: string, operator?: boolean): Promise<Person> {
  const row = await db
    .insertInto('person')
    .values({ email: email.toLowerCase(), operator: operator ?? false })
    .onConflict((conflict) => conflict.column('email').doUpdateSet((update) => ({ operator: operator ?? update.ref('person.operator') })))
    .returningAll()
    .executeTakeFirstOrThrow()
  if (operator === false) await deleteUnusedIdentities(db, row.id)
  return personOf(row)
}

/** Returns the person with an e-mail address in lower case. */
export async function findPersonByEmail(db: Db, email: string): Promise<Person | undefined> {
  const row = await db.selectFrom('person').selectAll().where('email', '=', email).executeTakeFirst()
  return row && personOf(row)
}

export async function findPerson(db: Db, id: string): Promise<Person | undefined> {
  const row = await db.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst()
  return row && personOf(row)
}

/** Locks a person until the transaction ends, so that only one transaction at a time counts what the person has. */
export async function lockPerson(tx: Db, id: string): Promise<void> {
  await tx.selectFrom('person').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** Returns the memberships of a person in workspaces that are not deleted. */
export async function selectMemberships(db: Db, personId: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('workspace', 'workspace.id', 'membership.workspace_id')
    .select(['workspace.id', 'workspace.name', 'role'])
    .where('person_id', '=', personId)
    .where('deleted_at', 'is', null)
    .orderBy('workspace.id')
    .execute()
  return rows.map(({ id, name, role }) => ({ workspaceId: id, name, role }))
}

export type Member = Person & { readonly role: MemberRole; readonly lastSeenAt: Date | null }

/** Returns the members of a workspace by e-mail address. */
export async function selectMembers(db: Db, workspaceId: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('membership')
    .innerJoin('person', 'person.id', 'person_id')
    .selectAll('person')
    .select('role')
    .where('workspace_id', '=', workspaceId)
    .orderBy('email')
    .execute()
  return rows.map((row) => ({ ...personOf(row), role: row.role, lastSeenAt: row.last_seen_at }))
}

/** Sets the role of a person in a workspace. `createdBy` is the id of the actor. */
export async function putMember(tx: Db, workspaceId: string, personId: string, role: MemberRole, createdBy: string): Promise<void> {
  await tx
    .insertInto('membership')
    .values({ workspace_id: workspaceId, person_id: personId, role, created_by: createdBy })
    .onConflict((conflict) => conflict.columns(['person_id', 'workspace_id']).doUpdateSet({ role }))
    .execute()
}

/** Removes a member, with the sessions and the sign-in links that are for this workspace, and with accounts that are no longer used. */
export async function deleteMember(tx: Db, workspaceId: string, personId: string): Promise<void> {
  for (const table of ['membership', 'sign_in_link', 'console_session'] as const) {
    await tx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('person_id', '=', personId).execute()
  }
  await deleteUnusedIdentities(tx, personId)
}

/** Deletes a person who never signed in, is no operator, and is not invited to another workspace: inviting and removing must not fill the table. */
export async function deleteUnusedPerson(tx: Db, id: string): Promise<void> {
  // Another workspace may be adding the person. Then the next statement sees the membership.
  await lockPerson(tx, id)
  await sql`
    delete from person p where id = ${id} and not operator and last_seen_at is null
      and not exists (select from membership where person_id = p.id)
      and not exists (select from sign_in_link where person_id = p.id)
      and not exists (select from console_session where person_id = p.id)
      and not exists (select from person_identity where person_id = p.id)`.execute(tx)
}

/** Notes that a person was active, at most once a minute. */
export async function notePerson(db: Db, id: string): Promise<void> {
  await db
    .updateTable('person')
    .set({ last_seen_at: sql`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_seen_at < now() - interval '1 minute', true)`)
    .execute()
}

function personOf({ id, email, name, operator, rights_version }: Selectable<Tables['person']>): Person {
  return { id, email, name, operator, rightsVersion: Number(rights_version) }
}

import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** An account at an OpenID provider. Its subject never changes, while its e-mail address can. */
type Identity = { readonly issuer: string; readonly subject: string }

/** Returns the id of the person who signs in with an account. */
export async function findPersonOf(db: Db, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await db
    .selectFrom('person_identity')
    .select('person_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.person_id
}

/** Stores the account of a person. Does nothing if the person already has one at this provider, or somebody else has this one. */
export async function insertIdentity(db: Db, { issuer, subject }: Identity, personId: string): Promise<void> {
  await db
    .insertInto('person_identity')
    .values({ issuer, subject, person_id: personId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Deletes the accounts of a person who is no operator, and a member only of deleted workspaces, if any. If the person is invited again, the
 * next sign-in is matched by its e-mail address, which can then belong to another account.
 */
export async function deleteUnusedIdentities(tx: Db, personId: string): Promise<void> {
  await tx
    .deleteFrom('person_identity')
    .where('person_id', '=', personId)
    .where(sql<boolean>`not exists (select from person where id = person_id and operator)`)
    .where(
      sql<boolean>`not exists (
        select from membership m join workspace w on w.id = m.workspace_id
        where m.person_id = person_identity.person_id and w.deleted_at is null)`,
    )
    .execute()
}

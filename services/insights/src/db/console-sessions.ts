import type { Role } from '@onward/contract'
import { type Selectable, sql } from 'kysely'
import { insertEndedSession } from './ended-rights.ts'
import type { Db, SignInMethod, Tables } from './tables.ts'

/** A session of a browser, or a token of a program. */
export type ConsoleSession = {
  readonly id: string
  readonly personId: string
  readonly kind: 'browser' | 'token'
  /** How the session of a browser began. It means nothing for a token. */
  readonly method: SignInMethod
  readonly name: string
  /** The only workspace that the session may see; null for all of the person. */
  readonly workspaceId: string | null
  /** The highest role of a token; null for a session of a browser. */
  readonly role: Role | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

export type NewSession = Pick<ConsoleSession, 'personId' | 'kind' | 'name' | 'workspaceId' | 'role'> & {
  readonly method?: SignInMethod
  readonly days: number
}

export async function insertSession(db: Db, secretHash: Buffer, session: NewSession): Promise<ConsoleSession> {
  const { personId, kind, method, name, workspaceId, role, days } = session
  const row = await db
    .insertInto('console_session')
    .values({
      secret_hash: secretHash,
      person_id: personId,
      kind,
      method,
      name,
      workspace_id: workspaceId,
      role,
      expires_at: sql<Date>`now() + make_interval(days => ${days})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return sessionOf(row)
}

/** How long a session of a browser lasts without being used. */
const IDLE = sql`interval '12 hours'`

const notEnded = sql<boolean>`expires_at > now() and (kind = 'token' or last_used_at > now() - ${IDLE})`

/** Returns a session that has not ended, and notes that it was used, at most once a minute. */
export async function touchSession(db: Db, secretHash: Buffer): Promise<ConsoleSession | undefined> {
  const session = await findSessionOf(db, secretHash)
  if (session === undefined) return undefined
  await db
    .updateTable('console_session')
    .set({ last_used_at: sql`now()` })
    .where('id', '=', session.id)
    .where(sql<boolean>`last_used_at < now() - interval '1 minute'`)
    .execute()
  return session
}

export async function findSession(db: Db, id: string): Promise<ConsoleSession | undefined> {
  const row = await db.selectFrom('console_session').selectAll().where('id', '=', id).where(notEnded).executeTakeFirst()
  return row && sessionOf(row)
}

/** Returns the sessions of a person that have not ended, newest first: only of one workspace if it is given. */
export async function selectSessions(db: Db, personId: string, workspaceId: string | null): Promise<ConsoleSession[]> {
  let query = db.selectFrom('console_session').selectAll().where('person_id', '=', personId).where(notEnded)
  if (workspaceId !== null) query = query.where('workspace_id', '=', workspaceId)
  return (await query.orderBy('created_at', 'desc').limit(200).execute()).map(sessionOf)
}

/** Returns the session of a secret that has not ended. */
export async function findSessionOf(db: Db, secretHash: Buffer): Promise<ConsoleSession | undefined> {
  const row = await db.selectFrom('console_session').selectAll().where('secret_hash', '=', secretHash).where(notEnded).executeTakeFirst()
  return row && sessionOf(row)
}

/** Counts the tokens of a person that have not ended. */
export async function countTokens(db: Db, personId: string): Promise<number> {
  const query = db.selectFrom('console_session').select(({ fn }) => fn.countAll<string>().as('tokens'))
  const { tokens } = await query.where('person_id', '=', personId).where('kind', '=', 'token').where(notEnded).executeTakeFirstOrThrow()
  return Number(tokens)
}

/** Ends a session, which functions learns from the table `ended_right`. Returns its id; undefined if there was none. */
export async function deleteSession(
  db: Db,
  which: { readonly id: string } | { readonly secret_hash: Buffer },
): Promise<string | undefined> {
  return await db.transaction().execute(async (tx) => {
    const ended = await tx
      .deleteFrom('console_session')
      .where((filter) => filter.and(which))
      .returning('id')
      .executeTakeFirst()
    if (ended !== undefined) await insertEndedSession(tx, ended.id)
    return ended?.id
  })
}

/** Ends the oldest of a person's sessions of browsers beyond `max`. The caller must have locked the person. */
export async function endOldestSessions(tx: Db, personId: string, max: number): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from console_session where id in (
      select id from console_session where person_id = ${personId} and kind = 'browser' order by created_at desc, id offset ${max}
    ) returning id`.execute(tx)
  for (const { id } of rows) await insertEndedSession(tx, id)
}

export type SignInLink = { readonly personId: string; readonly workspaceId: string | null }

/** How many links to one workspace, or to all of them, a person can have at once. */
const MAX_LINKS = 10

/**
 * Inserts a link and returns when it expires. Keeps 10 links of the person to the workspace: deletes the others that expire first. The
 * caller must have locked the person.
 */
export async function insertLink(db: Db, codeHash: Buffer, link: SignInLink, createdBy: string, minutes: number): Promise<Date> {
  await sql`
    delete from sign_in_link where code_hash in (
      select code_hash from sign_in_link
      where person_id = ${link.personId} and workspace_id is not distinct from ${link.workspaceId}
      order by expires_at desc offset ${MAX_LINKS - 1}
    )`.execute(db)
  const row = await db
    .insertInto('sign_in_link')
    .values({
      code_hash: codeHash,
      person_id: link.personId,
      workspace_id: link.workspaceId,
      created_by: createdBy,
      expires_at: sql<Date>`now() + make_interval(mins => ${minutes})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return row.expires_at
}

/** Returns a link that has not expired. */
export async function findLink(db: Db, codeHash: Buffer): Promise<SignInLink | undefined> {
  const row = await db
    .selectFrom('sign_in_link')
    .select(['person_id', 'workspace_id'])
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row && { personId: row.person_id, workspaceId: row.workspace_id }
}

/** Deletes a link and returns it, so that it works once. Undefined if there is none, or it has expired. */
export async function takeLink(db: Db, codeHash: Buffer): Promise<SignInLink | undefined> {
  const row = await db
    .deleteFrom('sign_in_link')
    .where('code_hash', '=', codeHash)
    .returning(['person_id', 'workspace_id', sql<boolean>`expires_at > now()`.as('valid')])
    .executeTakeFirst()
  return row?.valid === true ? { personId: row.person_id, workspaceId: row.workspace_id } : undefined
}

/** Deletes sessions and links that have ended. */
export async function deleteEndedSessions(db: Db): Promise<void> {
  await db.deleteFrom('console_session').where(sql<boolean>`not (${notEnded})`).execute()
  await db.deleteFrom('sign_in_link').where('expires_at', '<', sql<Date>`now()`).execute()
}

function sessionOf(row: Selectable<Tables['console_session']>): ConsoleSession {
  return {
    id: row.id,
    personId: row.person_id,
    kind: row.kind,
    method: row.method,
    name: row.name,
    workspaceId: row.workspace_id,
    role: row.role,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }
}

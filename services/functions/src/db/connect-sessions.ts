import type { Language } from '@onward/texts'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** One visit of a browser to connect one account. */
export type ConnectSession = {
  readonly id: string
  readonly browserHash: Buffer
  readonly appKey: string
  readonly userId: string
  readonly app: string
  /** The type of the chosen scheme. */
  readonly scheme: string
  readonly linkExpiresAt: Date
  readonly redirectUri: string | null
  /** The language that the application chose; null for the browser's. */
  readonly language: Language | null
  /** What is needed when the provider redirects back, sealed and bound to `sessionRow`. */
  readonly sealedProgress: Buffer | null
  readonly stateTaken: boolean
  readonly used: boolean
  readonly expiresAt: Date
}

type NewSession = Omit<ConnectSession, 'id' | 'sealedProgress' | 'stateTaken' | 'used' | 'expiresAt'> & {
  readonly tokenHash: Buffer
}

const SWEEP_MAX = 100
/** How many sessions a user can have at once. */
const USER_MAX = 100

/** Returns the name of a session's row. The sealer binds the session's progress to it. */
export function sessionRow(id: string): string {
  return `connect_session/${id}`
}

/**
 * Inserts a session. Deletes the oldest ones of the user beyond 100, and some that expired more than an hour ago, so that old ones do not
 * accumulate.
 */
export async function insertSession(db: Db, session: NewSession): Promise<void> {
  await sql`
    delete from connect_session where id in (
      select id from connect_session where expires_at < now() - interval '1 hour' limit ${SWEEP_MAX} for update skip locked
    )`.execute(db)
  await db
    .insertInto('connect_session')
    .values({
      token_hash: session.tokenHash,
      browser_hash: session.browserHash,
      app_key: session.appKey,
      user_id: session.userId,
      app: session.app,
      scheme: session.scheme,
      link_expires_at: session.linkExpiresAt,
      redirect_uri: session.redirectUri,
      language: session.language,
    })
    .execute()
  await sql`
    delete from connect_session where id in (
      select id from connect_session where app_key = ${session.appKey} and user_id = ${session.userId}
      order by expires_at desc offset ${USER_MAX} for update skip locked
    )`.execute(db)
}

export async function findSession(db: Db, by: { tokenHash: Buffer } | { stateHash: Buffer }): Promise<ConnectSession | undefined> {
  const [column, hash] = 'tokenHash' in by ? (['token_hash', by.tokenHash] as const) : (['state_hash', by.stateHash] as const)
  const row = await db.selectFrom('connect_session').selectAll().where(column, '=', hash).executeTakeFirst()
  return row && sessionOf(row)
}

/** Stores the hash of a new OAuth state, and the progress for the provider's callback. An earlier state is no longer valid. */
export async function saveState(db: Db, id: string, stateHash: Buffer, sealedProgress: Buffer): Promise<void> {
  await db
    .updateTable('connect_session')
    .set({ state_hash: stateHash, state_taken: false, sealed_progress: sealedProgress })
    .where('id', '=', id)
    .execute()
}

/** Marks a state as taken. Returns false if another callback took it before, or if `saveState` replaced it. */
export async function takeState(db: Db, id: string, stateHash: Buffer): Promise<boolean> {
  const taken = await db
    .updateTable('connect_session')
    .set({ state_taken: true, sealed_progress: null })
    .where('id', '=', id)
    .where('state_hash', '=', stateHash)
    .where('state_taken', '=', false)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

/** Ends a session. Returns false when it had already ended. */
export async function endSession(db: Db, id: string): Promise<boolean> {
  const ended = await db
    .updateTable('connect_session')
    .set({ used: true, sealed_progress: null })
    .where('id', '=', id)
    .where('used', '=', false)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

function sessionOf(row: Selectable<Tables['connect_session']>): ConnectSession {
  return {
    id: row.id,
    browserHash: row.browser_hash,
    appKey: row.app_key,
    userId: row.user_id,
    app: row.app,
    scheme: row.scheme,
    linkExpiresAt: row.link_expires_at,
    redirectUri: row.redirect_uri,
    language: row.language,
    sealedProgress: row.sealed_progress,
    stateTaken: row.state_taken,
    used: row.used,
    expiresAt: row.expires_at,
  }
}

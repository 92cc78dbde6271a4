import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** The scopes that an application requests from users; null for the app file's scopes. */
type Scopes = readonly string[] | null

/** An OAuth client without its secret. */
export type StoredClient = { readonly app: string; readonly clientId: string; readonly scopes: Scopes; readonly modifiedAt: Date }

/** Returns the name of a client's row. The sealer binds the client secret to it. */
export function oauthClientRow(appKey: string, app: string): string {
  return `oauth_client/${appKey}/${app}`
}

/** Stores an application's OAuth client for an app, or replaces it. Undefined `scopes` do not change. */
export async function putOAuthClient(
  db: Db,
  client: { appKey: string; app: string; clientId: string; sealedClientSecret: Buffer; scopes: Scopes | undefined },
): Promise<StoredClient> {
  const set = {
    client_id: client.clientId,
    sealed_client_secret: client.sealedClientSecret,
    scopes: client.scopes && [...client.scopes],
    modified_at: sql<Date>`now()`,
  }
  const row = await db
    .insertInto('oauth_client')
    .values({ app_key: client.appKey, app: client.app, ...set })
    .onConflict((conflict) => conflict.columns(['app_key', 'app']).doUpdateSet(set))
    .returning(STORED)
    .executeTakeFirstOrThrow()
  return stored(row)
}

export async function findOAuthClient(
  db: Db,
  appKey: string,
  app: string,
): Promise<(StoredClient & { readonly sealedClientSecret: Buffer }) | undefined> {
  const row = await db
    .selectFrom('oauth_client')
    .select([...STORED, 'sealed_client_secret'])
    .where('app_key', '=', appKey)
    .where('app', '=', app)
    .executeTakeFirst()
  return row && { ...stored(row), sealedClientSecret: row.sealed_client_secret }
}

/** Returns an application's OAuth clients by app. */
export async function selectOAuthClients(db: Db, appKey: string): Promise<StoredClient[]> {
  const rows = await db.selectFrom('oauth_client').select(STORED).where('app_key', '=', appKey).orderBy('app').execute()
  return rows.map(stored)
}

const STORED = ['app', 'client_id', 'scopes', 'modified_at'] as const

function stored(row: { app: string; client_id: string; scopes: string[] | null; modified_at: Date }): StoredClient {
  return { app: row.app, clientId: row.client_id, scopes: row.scopes, modifiedAt: row.modified_at }
}

/** Deletes a client. Returns whether it existed. */
export async function deleteOAuthClient(db: Db, appKey: string, app: string): Promise<boolean> {
  const deleted = await db.deleteFrom('oauth_client').where('app_key', '=', appKey).where('app', '=', app).executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

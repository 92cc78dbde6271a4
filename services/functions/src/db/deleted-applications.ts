import { sql } from 'kysely'
import type { Db } from './tables.ts'

/**
 * The tables from which an application's rows are deleted, with the condition for these rows. Past prompts are deleted elsewhere. An
 * idempotency record without a response belongs to a call in progress, which still needs it.
 */
const TABLES = {
  approval: sql`true`,
  mcp_sign_in_setting: sql`true`,
  mcp_sign_in: sql`true`,
  mcp_authorization: sql`true`,
  mcp_token: sql`true`,
  mcp_client: sql`true`,
  connect_session: sql`true`,
  connect_link: sql`true`,
  pending_account: sql`true`,
  connected_account: sql`true`,
  oauth_client: sql`true`,
  idempotency_record: sql`status is not null`,
  answer_quota: sql`true`,
  body_quota: sql`true`,
  suspension: sql`true`,
} as const
const PAGE = 10_000

/**
 * Marks an application as deleted. Returns false if it does not exist. `sealedSecret` is a new random secret that replaces its secrets, so
 * that processes of an earlier version also refuse its requests.
 */
export async function markDeleted(db: Db, appKey: string, sealedSecret: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('application')
    .set({
      deleted_at: sql<Date>`coalesce(deleted_at, now())`,
      sealed_secret: sealedSecret,
      sealed_previous_secret: null,
      previous_valid_until: null,
      allowed_origins: [],
      allowed_redirects: [],
    })
    .where('app_key', '=', appKey)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Deletes the rows of an application, a page at a time, because it can have too many for one statement. Returns their numbers by table.
 * A page has 10,000 rows.
 */
export async function deleteRows(db: Db, appKey: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const [name, condition] of Object.entries(TABLES)) {
    const table = sql.table(name)
    let total = 0
    let deleted = PAGE
    while (deleted === PAGE) {
      const { numAffectedRows = 0n } = await sql`
        delete from ${table} where ctid = any(array(select ctid from ${table} where app_key = ${appKey} and ${condition} limit ${PAGE}))`.execute(
        db,
      )
      deleted = Number(numAffectedRows)
      total += deleted
    }
    counts[name] = total
  }
  return counts
}

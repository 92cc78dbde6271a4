import { sql } from 'kysely'
import type { Db } from './tables.ts'

export async function insertPartnerKey(db: Db, partnerId: string, sha256: Buffer): Promise<void> {
  await db.insertInto('partner_key').values({ sha256, partner_id: partnerId }).execute()
}

/** The partner whose live key has this digest. */
export async function findKeyOwner(db: Db, sha256: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('partner_key')
    .select('partner_id')
    .where('sha256', '=', sha256)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return row?.partner_id
}

/** Lets all keys of a partner end in so many hours, those that end sooner stay as they are. Gives that time. */
export async function expirePartnerKeys(tx: Db, partnerId: string, hours: number): Promise<Date> {
  const { rows } = await sql<{ until: Date }>`
    with term as (select now() + ${hours}::float8 * interval '1 hour' as until),
    ended as (
      update partner_key set expires_at = term.until from term
      where partner_id = ${partnerId} and (expires_at is null or expires_at > term.until)
    )
    select until from term`.execute(tx)
  return rows[0]?.until ?? new Date()
}

import { type Kysely, sql } from 'kysely'

/** How many ids one statement looks at. */
const PAGE = 1_000

/**
 * Marks the accounts as preferred that calls have used until now: the newest active one of each user and app, where the user chose none. From
 * now on the oldest one is used, and no call may change to another account because of that.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ last: string | null }>`select max(id) as last from connected_account`.execute(db)
  const last = Number(rows[0]?.last ?? 0)
  for (let from = 0; from < last; from += PAGE) {
    await sql`
      update connected_account account set preferred_at = now()
      where id > ${from} and id <= ${from + PAGE} and status = 'active' and preferred_at is null
        and exists (
          select from connected_account other
          where other.app_key = account.app_key and other.user_id = account.user_id and other.app = account.app
            and other.status = 'active' and other.id < account.id)
        and not exists (
          select from connected_account other
          where other.app_key = account.app_key and other.user_id = account.user_id and other.app = account.app
            and other.status = 'active' and (other.id > account.id or other.preferred_at is not null))`.execute(db)
  }
}

import { type Kysely, sql } from 'kysely'

/** An index that finds the users of a prompt, whatever function they called. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists user_prompt_users`.execute(db)
  await sql`create index concurrently user_prompt_users on user_prompt (app_key, md5(prompt), id)`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** Adds an outcome. Every earlier row satisfies the new constraint, so it is not checked again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table call_log
      drop constraint call_log_outcome_check,
      add constraint call_log_outcome_check
        check (outcome in ('answered', 'app_error', 'no_answer', 'unreachable', 'unknown')) not valid`.execute(db)
}

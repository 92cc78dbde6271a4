import { type Kysely, sql } from 'kysely'

/**
 * What is suspended: a user, an application if `user_id` is empty, or a workspace if `app_key` is empty too. Processes hold applications in
 * memory with their suspensions, so they are notified as of a changed application, or of all if a workspace changed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table suspension (
      workspace_id text not null,
      app_key text not null default '',
      user_id text not null default '',
      state text not null check (state in ('read_only', 'suspended')),
      reason text not null,
      by_operator boolean not null,
      suspended_at timestamptz not null default now(),
      primary key (workspace_id, app_key, user_id)
    )`.execute(db)
  await sql`
    create function notify_suspension() returns trigger language plpgsql as $$
    declare changed suspension := coalesce(new, old);
    begin
      perform pg_notify('changes', case changed.app_key when '' then '' else 'application/' || changed.app_key end);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger notify_change after insert or update or delete on suspension
    for each row execute function notify_suspension()`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * Notifies all processes of each changed application, because they hold applications in memory. A new application is in no memory yet. The
 * payload is `secretRow` of the App-Key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_application_change() returns trigger language plpgsql as $$
    begin
      perform pg_notify('changes', 'application/' || old.app_key);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger notify_change after update or delete on application
    for each row execute function notify_application_change()`.execute(db)
}

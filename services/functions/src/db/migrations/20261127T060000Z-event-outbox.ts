import { type Kysely, sql } from 'kysely'

/**
 * Events about users that wait for insights. They have their own table: a process of the previous version would publish rows of `outbox` as
 * tasks. Triggers store the events of connected accounts, so that statements of the previous version store them too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table event_outbox (
      id uuid primary key default gen_random_uuid(),
      kind text not null,
      app_key text not null,
      user_id text not null,
      data jsonb not null,
      created_at timestamptz not null default now(),
      leased_until timestamptz not null default now(),
      sent boolean not null default false
    ) with (
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db)
  await sql`create index event_outbox_order on event_outbox (created_at, id)`.execute(db)
  await sql`
    create function store_account_event() returns trigger language plpgsql as $$
    declare account connected_account := coalesce(new, old);
    begin
      insert into event_outbox (kind, app_key, user_id, data) values (
        tg_argv[0], account.app_key, account.user_id,
        jsonb_build_object('app', account.app, 'connected_account_id', account.id)
      );
      return null;
    end $$`.execute(db)
  await createTrigger(db, 'account_inserted', 'insert', 'true', 'account_connected')
  await createTrigger(db, 'account_deleted', 'delete', 'true', 'account_disconnected')
  const [before, after] = [`old.status = 'reconnect_required'`, `new.status = 'reconnect_required'`]
  await createTrigger(db, 'account_lost', 'update', `${after} and not ${before}`, 'account_reconnect_required')
  await createTrigger(db, 'account_works_again', 'update', `${before} and not ${after}`, 'account_connected')
}

async function createTrigger(db: Kysely<unknown>, name: string, on: string, when: string, kind: string): Promise<void> {
  await sql`
    create trigger ${sql.ref(name)} after ${sql.raw(on)} on connected_account for each row when (${sql.raw(when)})
    execute function store_account_event(${sql.lit(kind)})`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/** What `accountsKey` returns. */
const keyOf = (row: string) => `concat_ws('/', 'account', ${row}.app_key, ${row}.app, ${row}.user_id)`

/** The columns that decide how a call is made. A renewal lease does not change them. */
const COLUMNS = ['app_key', 'user_id', 'app', 'sealed_credentials', 'renewed_at', 'status', 'preferred_at']
const columnsOf = (row: string) => COLUMNS.map((column) => `${row}.${column}`).join(', ')

/**
 * Notifies all processes of changed accounts, because they hold accounts in memory. An update notifies of the old and of the new row. The
 * payload is empty if a statement changes more than 1,000 accounts, or if a key does not fit into a notification (8,000 bytes).
 *
 * The commits of transactions with notifications wait for each other, so what changes often and has no effect on calls does not notify.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_accounts(keys text[]) returns void language sql as $$
      select pg_notify('changes', case when octet_length(key) < 8000 then key else '' end)
      from unnest(case when cardinality(keys) > 1000 then array[''] else keys end) as key
    $$`.execute(db)
  await createNotice(db, 'insert', `select distinct ${keyOf('n')} from new_rows n`)
  await createNotice(db, 'delete', `select distinct ${keyOf('o')} from old_rows o`)
  await createNotice(
    db,
    'update',
    `select distinct unnest(array[${keyOf('o')}, ${keyOf('n')}]) from old_rows o join new_rows n using (id)
      where (${columnsOf('o')}) is distinct from (${columnsOf('n')})`,
  )
}

async function createNotice(db: Kysely<unknown>, event: 'insert' | 'update' | 'delete', keys: string): Promise<void> {
  const name = sql.ref(`notify_account_${event}`)
  const rows = [...(event === 'insert' ? [] : ['old table as old_rows']), ...(event === 'delete' ? [] : ['new table as new_rows'])]
  await sql`
    create function ${name}() returns trigger language plpgsql as $$
    begin
      perform notify_accounts(array(${sql.raw(keys)} limit 1001));
      return null;
    end $$`.execute(db)
  await sql`
    create trigger ${name} after ${sql.raw(event)} on connected_account referencing ${sql.raw(rows.join(' '))}
    for each statement execute function ${name}()`.execute(db)
}

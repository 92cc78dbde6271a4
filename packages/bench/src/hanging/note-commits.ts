import { type Kysely, sql } from 'kysely'

/** Has the database note when the transaction of each delivery is about to commit, in the table `committed`. */
export async function noteCommits(db: Kysely<never>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  'create table committed (id uuid, at timestamptz)',
  `create function note_commit() returns trigger language plpgsql as
    $$ begin insert into committed values (new.id, clock_timestamp()); return new; end $$`,
  `create constraint trigger note_commit after insert on delivery deferrable initially deferred
    for each row execute function note_commit()`,
]

import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, Kysely, type Migration as KyselyMigration, PostgresDialect, sql } from 'kysely'
import { codeOf } from '../error-code.ts'
import type { Log } from '../log.ts'
import { openPool } from './pool.ts'

/**
 * A change of the schema. `up` runs in a transaction, and again if a lock is not free within `LOCK_MS`. With `transaction: false` it runs
 * without a transaction and without that limit, for `create index concurrently` and for changing rows in batches. It must be repeatable
 * then, because it runs again from its beginning after a failure.
 */
export type Migration = Pick<KyselyMigration, 'up'> & { readonly transaction?: false }

/** Migrations by name. They run in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/** The database has a migration that this version does not have, although it has later ones. */
export class UnknownMigrationError extends Error {}

/**
 * How long a migration waits for a lock. Queries that arrive in this time wait behind it. More than 1 s (`deadlock_timeout`), because only
 * then does Postgres cancel an autovacuum that holds the lock.
 */
const LOCK_MS = 1_500
/** Time between two attempts, in which the queries that waited can finish. */
const PAUSE_MS = 3_000
const GIVE_UP_MS = 600_000
/** How often to look whether another process has finished its migrations. */
const POLL_MS = 200

/**
 * Runs the migrations that a database does not have yet, each in a separate transaction. Several processes may call this at once: a lock
 * lets one of them run at a time. The lock belongs to a session, so `postgresUrl` must not point to a pooler in transaction mode, which
 * would not release it. A database with migrations of a later version is left as it is.
 */
export async function migrate(postgresUrl: string, migrations: Migrations, log?: Pick<Log, 'info' | 'warn'>): Promise<void> {
  const db = openForMigrations(postgresUrl)
  try {
    await db.connection().execute(async (on) => {
      await takeMigrationLock(on)
      // The table and its columns have the same names as in Kysely's own migrator.
      await sql`create table if not exists kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(on)
      await refuseUnknown(on, migrations)
      for (const name of await readMissingMigrations(on, migrations)) {
        await runMigration(on, name, migrations[name] as Migration, log)
        log?.info({ migration: name }, 'migrated')
      }
      log?.info('the database has all migrations')
    })
  } finally {
    await db.destroy()
  }
}

/** Returns the names of the migrations that a database does not have, in order. */
export async function readMissingMigrations<T>(db: Kysely<T>, migrations: Migrations): Promise<string[]> {
  const present = new Set(await readNames(db))
  return inOrder(migrations).filter((name) => !present.has(name))
}

async function readNames<T>(db: Kysely<T>): Promise<string[]> {
  const table = await sql<{ exists: boolean }>`select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (table.rows[0]?.exists !== true) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return rows.map(({ name }) => name)
}

function inOrder(migrations: Migrations): string[] {
  return Object.keys(migrations).sort((a, b) => (a < b ? -1 : 1))
}

/** Throws if the database has an unknown migration that is not newer than all known ones, because its schema then differs from ours. */
async function refuseUnknown(on: Kysely<unknown>, migrations: Migrations): Promise<void> {
  const newest = inOrder(migrations).at(-1) ?? ''
  const unknown = (await readNames(on)).find((name) => !(name in migrations) && name < newest)
  if (unknown !== undefined) throw new UnknownMigrationError(`the database has the migration ${unknown}, which this version does not have`)
}

/**
 * Takes a lock that is released when the connection closes. Polls for it: `create index concurrently` waits for all running statements, and
 * so for a statement that waits for the lock of the process that creates the index.
 */
async function takeMigrationLock(on: Kysely<unknown>): Promise<void> {
  await repeat(POLL_MS, 'another process is migrating this database', async () => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(hashtextextended('migrations', 0)) as taken`.execute(on)
    return rows[0]?.taken === true
  })
}

async function runMigration(on: Kysely<unknown>, name: string, migration: Migration, log: Pick<Log, 'warn'> | undefined): Promise<void> {
  const apply = async (db: Kysely<unknown>) => {
    await migration.up(db)
    await sql`insert into kysely_migration values (${name}, ${new Date().toISOString()})`.execute(db)
  }
  if (migration.transaction === false) return await apply(on)

  await repeat(PAUSE_MS, `migration ${name} waits for a lock that other transactions hold`, async () => {
    try {
      await on.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_MS)}`.execute(tx)
        await apply(tx)
      })
      return true
    } catch (err) {
      // lock_not_available, deadlock_detected
      if (!/^(55P03|40P01)$/.test(codeOf(err) ?? '')) throw err
      log?.warn({ migration: name }, 'a lock is not free; trying again')
      return false
    }
  })
}

/** Repeats `attempt` until it returns true. Throws an error with `problem` after 10 minutes. */
async function repeat(pauseMs: number, problem: string, attempt: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS
  while (!(await attempt())) {
    if (performance.now() > deadline) {
      throw new Error(
        `${problem}, for ${GIVE_UP_MS / 60_000} minutes now; look for old transactions in pg_stat_activity, then run it again`,
      )
    }
    await sleep(pauseMs)
  }
}

/** Opens one connection without a time limit for statements, because changing a large table can take long. */
function openForMigrations(postgresUrl: string): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: openPool(postgresUrl, { max: 1, application_name: 'onward migrations' }),
      // The role or the database may set other limits. The last limit releases the locks of a migration whose process is frozen.
      async onCreateConnection(connection) {
        await connection.executeQuery(
          CompiledQuery.raw(`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
            set_config('idle_in_transaction_session_timeout', '5s', false)`),
        )
      },
    }),
  })
}

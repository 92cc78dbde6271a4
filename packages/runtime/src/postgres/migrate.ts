import { CompiledQuery, Kysely, type Migration, Migrator, PostgresDialect } from 'kysely'
import { openPool } from './database.ts'

/** Migrations by name. They run in the order of their names. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Runs the migrations that a database does not have yet. Several processes may call this at once, because Kysely takes a lock. The lock
 * belongs to a session, so `postgresUrl` must not point to a pooler in transaction mode, which would not release it.
 */
export async function migrate(postgresUrl: string, migrations: Migrations): Promise<void> {
  const db = openWithoutTimeout(postgresUrl)
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}

/**
 * Opens one connection without a time limit: changing a large table can take long, and so can waiting for another process that changes it.
 */
function openWithoutTimeout(postgresUrl: string): Kysely<unknown> {
  return new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool: openPool(postgresUrl, { max: 1 }),
      // The role or the database may set a limit of its own.
      async onCreateConnection(connection) {
        await connection.executeQuery(CompiledQuery.raw('set statement_timeout = 0'))
      },
    }),
  })
}

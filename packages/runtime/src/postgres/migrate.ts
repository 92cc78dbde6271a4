import { type Migration, Migrator } from 'kysely'
import { openPatient } from './database.ts'

/** Migrations by name; names sort in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>

/**
 * Brings a database up to date. Safe to run from several processes at once: Kysely takes a lock. Over a connection of its own that has no
 * time limits: to change a large table, or to wait for who does, takes as long as it takes. The lock is a session's: the URL must not lead
 * through a pooler in transaction mode, where it would stay behind.
 */
export async function migrate(postgresUrl: string, migrations: Migrations): Promise<void> {
  const db = openPatient(postgresUrl)
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await db.destroy()
  }
}

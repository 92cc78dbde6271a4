import { type Kysely, type Migration, Migrator } from 'kysely'

/** Migrations by name; names sort in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>

/** Brings a database up to date. Safe to run from several processes at once: Kysely takes a lock. */
export async function migrate<T>(db: Kysely<T>, migrations: Migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

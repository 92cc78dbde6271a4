import { migrations as functionsMigrations } from '@onward/functions'
import { EVENT_PARTITIONS, migrations as insightsMigrations } from '@onward/insights'
import { type Migrations, makePartitions, migrate, openDatabase } from '@onward/runtime'
import { askPostgres, databaseUrl, dropDatabase, ensureDatabase } from './parts/databases.ts'

const TEMPLATES: Readonly<Record<string, Migrations>> = {
  onward_template_functions: functionsMigrations,
  onward_template_insights: insightsMigrations,
}

/** Creates a migrated template database for each service, which test suites clone. Returns a function that drops them. */
export async function makeTemplates(serverUrl: string): Promise<() => Promise<void>> {
  async function remove(): Promise<void> {
    for (const name of Object.keys(TEMPLATES)) await dropDatabase(serverUrl, name)
  }
  await remove()
  for (const [name, migrations] of Object.entries(TEMPLATES)) {
    await ensureDatabase(serverUrl, name)
    await migrate(databaseUrl(serverUrl, name), migrations)
  }
  // Creating 61 partitions takes half a second, which each suite that starts insights would spend again.
  const db = openDatabase(databaseUrl(serverUrl, 'onward_template_insights'), 1)
  await makePartitions(db, EVENT_PARTITIONS)
  await db.destroy()
  // The first comparison would be due in five minutes, in the middle of any suite, and would repair what the suite has just damaged.
  const later = "update reconciliation set compare_at = now() + interval '1 day'"
  await askPostgres(databaseUrl(serverUrl, 'onward_template_functions'), later)
  return remove
}

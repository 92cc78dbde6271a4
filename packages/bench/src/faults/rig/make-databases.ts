import { databaseUrl, ensureDatabase } from '@onward/dev-env'
import { askPostgres } from '../ask-postgres.ts'

const NAMES = ['onward_functions', 'onward_insights', 'onward_queue'] as const

/** Makes the databases, owned by an ordinary role: connection limits don't bind a superuser. Gives their URLs as that role. */
export async function makeDatabases(serverUrl: string): Promise<[functions: string, insights: string, queue: string]> {
  const url = new URL(serverUrl)
  await askPostgres(serverUrl, `create role service login password '${url.password}'`)
  // As operators do behind PgBouncer, which takes no such setting from us.
  await askPostgres(serverUrl, `alter role service set statement_timeout = '30s'`)
  for (const name of NAMES) {
    await ensureDatabase(serverUrl, name)
    await askPostgres(serverUrl, `alter database ${name} owner to service`)
  }
  url.username = 'service'
  const [functions, insights, queue] = NAMES.map((name) => databaseUrl(url.href, name)) as [string, string, string]
  return [functions, insights, queue]
}

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Part, PartsOptions } from './part.ts'

/** Runs one statement over a new connection. Fails after 30 seconds. */
export async function askPostgres(url: string, statement: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 })
  // Without a listener, a connection that breaks while it is idle would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(statement, [...values])).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Creates a database if it does not exist. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const found = await askPostgres(serverUrl, 'select from pg_database where datname = $1', [name])
  if (found.length > 0) return
  await askPostgres(serverUrl, `create database ${pg.escapeIdentifier(name)} encoding 'UTF8' template template0`)
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await askPostgres(serverUrl, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

/**
 * Creates a separate database for the queue, for a machine without Redis. On stop, drops a throw-away database on a server that Onward did
 * not start; one on its own server is removed together with that server's data.
 */
export async function openQueueDatabase(postgres: Part, { env, throwAway, say }: PartsOptions): Promise<Part> {
  const name = throwAway ? `onward_queue_${randomBytes(4).toString('hex')}` : 'onward_queue'
  await ensureDatabase(postgres.url, name)
  const from = `No Redis found: the queue uses Postgres, database ${name}`
  say(from)
  return {
    url: databaseUrl(postgres.url, name),
    from,
    async stop() {
      if (throwAway && env.DATABASE_URL) await dropDatabase(postgres.url, name)
    },
  }
}

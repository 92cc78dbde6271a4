import pg from 'pg'

/** One statement over a connection of its own, in at most two minutes. */
export async function askPostgres<T = Record<string, unknown>>(url: string, text: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000, query_timeout: 120_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows as T[]
  } finally {
    await client.end().catch(() => {})
  }
}

import pg from 'pg'

/** Runs one statement in a database, on a separate connection. */
export async function inDatabase(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

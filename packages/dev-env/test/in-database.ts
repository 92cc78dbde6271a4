import pg from 'pg'

/** Runs one statement in a database, on a separate connection. Returns the number of rows that it returned or changed. */
export async function inDatabase(url: string, statement: string): Promise<number | null> {
  const client = new pg.Client(url)
  await client.connect()
  const { rowCount } = await client.query(statement)
  await client.end()
  return rowCount
}

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/**
 * Returns the pool for Kysely, which destroys a connection after a query that the server did not answer, and after a transaction
 * that was left open. pg reports a query that timed out in the client, but keeps the connection, and Kysely releases it without an error:
 * its next user would run inside the transaction that the timed-out query belongs to.
 */
export function discardUncertain(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      let failure: Error | undefined
      const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        // A rollback would queue behind the unanswered query. Closing the connection rolls back as well.
        if (failure !== undefined) throw failure
        try {
          return await client.query(text, [...values])
        } catch (err) {
          if (!(err instanceof pg.DatabaseError)) failure = err as Error
          throw err
        }
      }
      return {
        // The second signature of the type is for cursors, which are not used.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(failure ?? client.getTransactionStatus() !== 'I'),
      }
    },
    end: () => pool.end(),
  }
}

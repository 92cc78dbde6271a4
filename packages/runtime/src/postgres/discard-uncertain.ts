import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'

/**
 * Returns a pool for Kysely that destroys a connection, instead of reusing it, after an unanswered query or an unfinished transaction.
 * Kysely releases a connection without passing on the error, so pg alone would reuse it.
 */
export function discardUncertain(pool: pg.Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect()
      let failure: Error | undefined
      const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
        // The client has closed the connection, which also rolls back.
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

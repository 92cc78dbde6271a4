import pg from 'pg'
import { SteadyClient } from './client.ts'

/** Time limits of a pool in ms: of a statement in the server, of waiting for its response, and of waiting for a connection. */
export type PoolLimits = Required<Pick<pg.PoolConfig, 'statement_timeout' | 'query_timeout' | 'connectionTimeoutMillis'>>

/**
 * Limits for requests and background loops. After a failover without a TCP reset, requests succeed again within 10 s. A caller waits as
 * long for the record of a call.
 */
export const QUICK: PoolLimits = { statement_timeout: 5_000, query_timeout: 7_000, connectionTimeoutMillis: 5_000 }
/** Limits for statements that may read a large part of a table. */
export const SLOW: PoolLimits = { statement_timeout: 30_000, query_timeout: 35_000, connectionTimeoutMillis: 10_000 }

/** After this time the server ends a transaction whose client disappeared, and so frees its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000

/** Opens a pool of clients that close their connection when a query gets no response. `application_name` shows in `pg_stat_activity`. */
export function openPool(postgresUrl: string, config: pg.PoolConfig): pg.Pool {
  return new SteadyPool({
    connectionString: postgresUrl,
    connectionTimeoutMillis: SLOW.connectionTimeoutMillis,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    ...config,
    // pg's types expect a constructor without parameters here.
    Client: SteadyClient as unknown as new () => pg.ClientBase,
  })
}

/**
 * A pool that recovers within one timeout when all its connections are dead: after a query got no response, it replaces each connection that
 * has not answered since that query was sent. pg takes the connection that was released last, so it would try one after another.
 */
class SteadyPool extends pg.Pool {
  /** When the latest query without a response was sent. */
  #silentSince = Number.NEGATIVE_INFINITY

  constructor(config: pg.PoolConfig) {
    super(config)
    this.on('error', () => {})
    this.on('release', (_err: Error, client: pg.PoolClient) => {
      this.#silentSince = Math.max(this.#silentSince, steady(client).silentSince ?? this.#silentSince)
    })
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares one signature with a callback, which its `query` uses, and one without
  override connect(callback?: (err: Error | undefined, client: pg.PoolClient | undefined, done: () => void) => void): any {
    const taken = this.#take()
    if (callback === undefined) return taken
    taken.then(
      (client) => callback(undefined, client, client.release),
      (err: Error) => callback(err, undefined, () => {}),
    )
  }

  async #take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect()
      if (steady(client).answeredAt >= this.#silentSince) return client
      steady(client).abandon()
      client.release(true)
    }
  }
}

/** All clients of the pool are of this class. */
function steady(client: pg.PoolClient): SteadyClient {
  return client as unknown as SteadyClient
}

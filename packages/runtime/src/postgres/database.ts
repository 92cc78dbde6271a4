import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { SteadyClient } from './steady-client.ts'

/** Opens a pool of at most `max` connections. No query runs longer than 30 s; a connection that can't be had in 10 s is an error. */
export function openDatabase<T>(postgresUrl: string, max: number): Kysely<T> {
  return new Kysely<T>({
    dialect: new PostgresDialect({ pool: openPool(postgresUrl, { max, statement_timeout: 30_000, query_timeout: 35_000 }) }),
  })
}

export function openPool(postgresUrl: string, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // The typings of pg want a constructor without arguments here.
    Client: SteadyClient as unknown as new () => pg.ClientBase,
    ...config,
  })
  pool.on('error', () => {})
  return pool
}

/** Whether a failure is the database's or the network's, not that of the data: worth trying again. */
export function isInfrastructureError(err: unknown): boolean {
  const code = (err as { code?: unknown } | null)?.code
  // No SQLSTATE means that the connection broke; 08, 53, 57, 58, 40 are connection, resources, shutdown, system, rollback.
  // EPIPE has the form of one, but no SQLSTATE begins with E.
  return typeof code !== 'string' || !/^(?!E)[0-9A-Z]{5}$/.test(code) || /^(08|40|53|55|57|58)/.test(code)
}

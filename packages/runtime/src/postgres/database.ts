import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { discardUncertain } from './discard-uncertain.ts'
import { SteadyClient } from './steady-client.ts'

/**
 * Opens a pool of at most `max` connections. Fails a query after 30 s, or after 35 s when the server does not answer; such a connection
 * is destroyed. Fails when no connection is free within 10 s.
 */
export function openDatabase<T>(postgresUrl: string, max: number): Kysely<T> {
  const pool = openPool(postgresUrl, { max, statement_timeout: 30_000, query_timeout: 35_000 })
  return new Kysely<T>({ dialect: new PostgresDialect({ pool: discardUncertain(pool) }) })
}

/**
 * Opens one connection on which queries take as long as they take, for work that is in nobody's way. Said to the server, as its role or
 * database may have a limit of its own.
 */
export function openPatient(postgresUrl: string): Kysely<unknown> {
  const pool = openPool(postgresUrl, { max: 1 })
  return new Kysely<unknown>({
    dialect: new PostgresDialect({
      pool,
      async onCreateConnection(connection) {
        await connection.executeQuery(CompiledQuery.raw('set statement_timeout = 0'))
      },
    }),
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
  // No SQLSTATE means that the connection broke; 08, 53, 57, 58, XX, 40 are connection, resources, shutdown, system, Postgres itself, rollback.
  // EPIPE has the form of one, but no SQLSTATE begins with E.
  return typeof code !== 'string' || !/^(?!E)[0-9A-Z]{5}$/.test(code) || /^(08|40|53|55|57|58|XX)/.test(code)
}

/**
 * Whether a statement was refused for the data it holds, so that a part of it may be taken: SQLSTATE classes 22 (data exception) and 23
 * (integrity constraint violation), and 54000 (too large).
 */
export function isDataError(err: unknown): boolean {
  const { code, constraint } = (err ?? {}) as { code?: unknown; constraint?: unknown }
  // A row that came while its partition was being made finds itself in the wrong one; no constraint of ours is named then, or the one that
  // keeps a range free while its partition is being made.
  if (code === '23514' && (constraint === undefined || String(constraint).endsWith('_not_yet'))) return false
  return typeof code === 'string' && /^(2[23][0-9A-Z]{3}|54000)$/.test(code)
}

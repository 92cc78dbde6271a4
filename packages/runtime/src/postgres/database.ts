import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { codeOf } from '../error-code.ts'
import { discardUncertain } from './discard-uncertain.ts'

/**
 * Opens a pool of at most `max` connections. A query fails after 30 s, or after 35 s if the server does not answer; then its connection is
 * destroyed. Waiting for a free connection fails after 10 s.
 */
export function openDatabase<T>(postgresUrl: string, max: number): Kysely<T> {
  const pool = openPool(postgresUrl, { max, statement_timeout: 30_000, query_timeout: 35_000 })
  return new Kysely<T>({ dialect: new PostgresDialect({ pool: discardUncertain(pool) }) })
}

/** Opens a pool. When the server is killed, only the queries in flight reject; without the error listeners, the process would end. */
export function openPool(postgresUrl: string, config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: postgresUrl,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    // pg's types expect a constructor without parameters here.
    Client: SteadyClient as unknown as new () => pg.ClientBase,
    ...config,
  })
  pool.on('error', () => {})
  return pool
}

/** Returns whether the database or the network failed, so that a retry can succeed; false if the statement or its data was wrong. */
export function isInfrastructureError(err: unknown): boolean {
  const code = sqlState(err)
  // Without a SQLSTATE, the connection failed. The classes are connection (08), rollback (40), resources (53), locks (55), shutdown (57),
  // system (58) and internal errors (XX).
  return code === undefined || /^(08|40|53|55|57|58|XX)/.test(code)
}

/**
 * Returns whether Postgres refused a statement because of its data, so that other parts of the data may be accepted. The SQLSTATEs are
 * classes 22 (data exception) and 23 (integrity constraint violation), and 54000 (too large).
 */
export function isDataError(err: unknown): boolean {
  const code = sqlState(err)
  // A check violation without a constraint name means that the row was inserted into the default partition while a partition for it was
  // being attached. A retry succeeds.
  if (code === '23514' && Object(err).constraint === undefined) return false
  return code !== undefined && /^(2[23]...|54000)$/.test(code)
}

/** Returns the SQLSTATE of an error, if it has one. System codes such as EPIPE have five letters too, but no SQLSTATE begins with E. */
function sqlState(err: unknown): string | undefined {
  const code = codeOf(err)
  return code !== undefined && /^(?!E)[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/**
 * A client that always has a listener for 'error': without one, an error event ends the process. pg leaves two kinds of clients without a
 * listener: those that a transaction has checked out, and those that were just closed. The query in flight rejects with the same error.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', ignore)
  }

  override removeAllListeners(event?: string | symbol): this {
    super.removeAllListeners(event)
    if (event === undefined || event === 'error') this.on('error', ignore)
    return this
  }
}

function ignore(): void {}

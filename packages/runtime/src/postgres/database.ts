import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { codeOf } from '../error-code.ts'
import { discardUncertain } from './discard-uncertain.ts'
import { openPool, QUICK, SLOW } from './pool.ts'

/**
 * Opens a pool of at most `max` connections, for requests and background loops. A statement ends after 5 s. If the server does not answer
 * within 7 s, the query fails and its connection is closed. Waiting for a free connection fails after 5 s.
 */
export function openDatabase<T>(postgresUrl: string, max: number): Kysely<T> {
  return openWith(postgresUrl, { max, application_name: 'onward requests', ...QUICK })
}

const SLOW_CONNECTIONS = 3

/**
 * Opens a pool of at most three connections for statements that may read a large part of a table. A statement ends after 30 s, and waiting
 * for a connection fails after 10 s. `postgresUrl` must not point to a pooler in transaction mode, where the limit of the role applies.
 */
export function openSlowDatabase<T>(postgresUrl: string): Kysely<T> {
  return openWith(postgresUrl, { max: SLOW_CONNECTIONS, application_name: 'onward long statements', ...SLOW })
}

function openWith<T>(postgresUrl: string, config: pg.PoolConfig): Kysely<T> {
  return new Kysely<T>({ dialect: new PostgresDialect({ pool: discardUncertain(openPool(postgresUrl, config)) }) })
}

/** Returns whether the database or the network failed, so that a retry can succeed; false if the statement or its data was wrong. */
export function isInfrastructureError(err: unknown): boolean {
  const code = sqlState(err)
  // Without a SQLSTATE, the connection failed. The classes are connection (08), rollback (40), resources (53), locks (55), shutdown (57),
  // system (58) and internal errors (XX). After a failover, a server can be read-only (25006). It ends transactions that wait too long
  // for their client (25P03).
  return code === undefined || /^(08|25006|25P03|40|53|55|57|58|XX)/.test(code)
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

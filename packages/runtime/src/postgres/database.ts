import { Kysely, type KyselyConfig, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { codeOf } from '../error-code.ts'
import type { Tracing } from '../tracing.ts'
import { discardUncertain } from './discard-uncertain.ts'
import { openPool, QUICK, SLOW } from './pool.ts'

/**
 * Opens a pool of at most `max` connections, for requests and background loops. A statement ends after 5 s. If the server does not answer
 * within 7 s, the query fails and its connection is closed. Waiting for a free connection fails after 5 s. With `tracing`, each statement of
 * a traced request or job is a span.
 */
export function openDatabase<T>(postgresUrl: string, max: number, tracing?: Tracing): Kysely<T> {
  return openWith(postgresUrl, { max, application_name: 'onward requests', ...QUICK }, tracing)
}

const SLOW_CONNECTIONS = 3

/**
 * Opens a pool of at most three connections for statements that may read a large part of a table. A statement ends after 30 s, and waiting
 * for a connection fails after 10 s. `postgresUrl` must not point to a pooler in transaction mode, where the limit of the role applies.
 */
export function openSlowDatabase<T>(postgresUrl: string, tracing?: Tracing): Kysely<T> {
  return openWith(postgresUrl, { max: SLOW_CONNECTIONS, application_name: 'onward long statements', ...SLOW }, tracing)
}

function openWith<T>(postgresUrl: string, config: pg.PoolConfig, tracing: Tracing | undefined): Kysely<T> {
  const dialect = new PostgresDialect({ pool: discardUncertain(openPool(postgresUrl, config)) })
  return new Kysely<T>(tracing === undefined ? { dialect } : { dialect, log: traceStatements(tracing) })
}

/** Maximum length of the text of a statement in a span. */
const MAX_TEXT = 2_000

/** The text of a statement has no values: these are parameters. */
function traceStatements(tracing: Tracing): KyselyConfig['log'] {
  return ({ level, query, queryDurationMillis }) => {
    const text = query.sql.trim()
    const attributes = {
      'db.system.name': 'postgresql',
      'db.query.text': text.slice(0, MAX_TEXT),
      'error.type': level === 'error' ? 'error' : undefined,
    }
    tracing.ended(text.split(/\s/, 1)[0] ?? '', queryDurationMillis, { kind: 'client', attributes })
  }
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

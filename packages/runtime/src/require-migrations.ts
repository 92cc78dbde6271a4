import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { ConfigError } from './env.ts'
import { type Listening, listen } from './http/listen.ts'
import { assignRequestId, requestIdOf } from './http/request-id.ts'
import type { Log } from './log.ts'
import { openDatabase } from './postgres/database.ts'
import { type Migrations, readMissingMigrations } from './postgres/migrate.ts'
import type { ServerConfig } from './server-config.ts'

/** How long a starting service waits for its migrations. After that it exits, and is usually started again. */
const WAIT_MS = 30_000
const POLL_MS = 500

/**
 * Resolves when the database has all migrations of a service; it may have later ones too. Until then, the internal port answers every
 * request with 503 and the reason. Throws a ConfigError after 30 s.
 */
export async function requireMigrations(
  service: 'functions' | 'insights',
  config: Pick<ServerConfig, 'databaseDirectUrl' | 'internalHost' | 'internalPort'>,
  migrations: Migrations,
  log: Log,
): Promise<void> {
  const db = openDatabase(config.databaseDirectUrl, 1)
  const deadline = performance.now() + WAIT_MS
  let internal: Listening | undefined
  try {
    for (;;) {
      const missing = await readMissingMigrations(db, migrations)
      if (missing.length === 0) return
      const problem = `the database lacks the migrations ${missing.join(', ')}: run "node services/${service}/dist/main.js migrate"`
      if (performance.now() > deadline) throw new ConfigError(problem)
      if (internal === undefined) {
        log.warn({ missing }, 'waiting for migrations')
        internal = await listen(unavailable(problem), config.internalHost, config.internalPort)
      }
      await sleep(POLL_MS)
    }
  } finally {
    await internal?.close(0)
    await db.destroy()
  }
}

function unavailable(problem: string): express.Express {
  return express().use(assignRequestId, (_req, res) => {
    res.status(503).json({ error: problem, error_details: [], code: 'unavailable', request_id: requestIdOf(res) })
  })
}

import { createPostgresBackend, runMigrations } from 'bullmq'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { openPool } from '../postgres/database.ts'
import { COMPLETED_KEPT_SECONDS, openBullQueues } from './bull-queues.ts'
import type { Queues } from './queues.ts'

const SCHEMA = 'bullmq'

/** Opens BullMQ's own Postgres backend. Each part has its own pool: a shared pool hung when the server went away during `close`. */
export async function openPostgresQueues(postgresUrl: string, log: Log): Promise<Queues> {
  const own = openPool(postgresUrl, { max: 1 })
  const pools: pg.Pool[] = [own]
  const client = await own.connect()
  try {
    await runMigrations(client, SCHEMA)
  } finally {
    client.release()
  }

  return openBullQueues(
    {
      backend: createPostgresBackend,
      kept: { age: COMPLETED_KEPT_SECONDS },
      connect(use) {
        const max = use === 'queue' ? 4 : use === 'events' ? 3 : use.concurrency + 3
        const pool = openPool(postgresUrl, { max, options: `-c search_path=${SCHEMA}` })
        pools.push(pool)
        return pool
      },
      async ping() {
        await own.query('select 1')
      },
      async disconnect() {
        await Promise.allSettled(pools.map((pool) => pool.end()))
      },
    },
    log,
  )
}

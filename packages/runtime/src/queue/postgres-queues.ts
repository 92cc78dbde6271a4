import { createPostgresBackend, runMigrations } from 'bullmq'
import type pg from 'pg'
import type { Log } from '../log.ts'
import { openPool, QUICK } from '../postgres/pool.ts'
import { COMPLETED_KEPT_SECONDS, openBullQueues } from './bull-queues.ts'
import type { Queues } from './queues.ts'

const SCHEMA = 'bullmq'
const NAME = 'onward queue'

/** Opens BullMQ's own Postgres backend. Each part has its own pool: a shared pool hung when the server went away during `close`. */
export async function openPostgresQueues(postgresUrl: string, log: Log): Promise<Queues> {
  await migrateQueues(postgresUrl)
  const own = openPool(postgresUrl, { max: 1, application_name: NAME, ...QUICK })
  const pools: pg.Pool[] = [own]

  return openBullQueues(
    {
      backend: createPostgresBackend,
      kept: { age: COMPLETED_KEPT_SECONDS },
      connect(use) {
        const max = use === 'queue' ? 4 : use === 'events' ? 3 : use.concurrency + 3
        const pool = openPool(postgresUrl, { max, application_name: NAME, ...QUICK, options: `-c search_path=${SCHEMA}` })
        pools.push(pool)
        return pool
      },
      async ping() {
        await own.query('select 1')
      },
      readMemoryShare: async () => undefined,
      async disconnect() {
        await Promise.allSettled(pools.map((pool) => pool.end()))
      },
    },
    log,
  )
}

async function migrateQueues(postgresUrl: string): Promise<void> {
  const pool = openPool(postgresUrl, { max: 1, application_name: NAME })
  const client = await pool.connect()
  try {
    await runMigrations(client, SCHEMA)
  } finally {
    client.release()
    await pool.end()
  }
}

import { createPostgresBackend, type Queue, type QueueEvents, runMigrations, type Worker, withBackend } from 'bullmq'
import type { Log } from '../log.ts'
import { openPool } from '../postgres/database.ts'
import { closeInOrder } from './close.ts'
import { JOB_OPTIONS, WORKER_OPTIONS } from './job-options.ts'
import type { Queues } from './queues.ts'

const SCHEMA = 'bullmq'

/** BullMQ's own Postgres backend. Each part has a pool of its own: one shared by all hung when the server went away during `close`. */
export async function openPostgresQueues(postgresUrl: string, log: Log): Promise<Queues> {
  const bull = withBackend(createPostgresBackend)
  const pools: ReturnType<typeof openPool>[] = []
  const parts: { queues: Queue[]; workers: Worker[]; events: QueueEvents[] } = { queues: [], workers: [], events: [] }
  const onError = (err: Error) => log.warn({ err }, 'the queue connection failed')

  function pool(max: number) {
    const made = openPool(postgresUrl, { max, options: `-c search_path=${SCHEMA}` })
    pools.push(made)
    return made as never
  }

  const own = openPool(postgresUrl, { max: 1 })
  pools.push(own)
  const client = await own.connect()
  try {
    await runMigrations(client, SCHEMA)
  } finally {
    client.release()
  }

  return {
    queue(name) {
      const queue = new bull.Queue(name, { connection: pool(4), defaultJobOptions: JOB_OPTIONS })
      queue.on('error', onError)
      parts.queues.push(queue as never)
      return queue as never
    },
    worker(name, work, concurrency) {
      const worker = new bull.Worker(name, work as never, { connection: pool(concurrency + 3), concurrency, ...WORKER_OPTIONS })
      worker.on('error', onError)
      parts.workers.push(worker as never)
      return worker as never
    },
    events(name) {
      const events = new bull.QueueEvents(name, { connection: pool(3) })
      events.on('error', onError)
      parts.events.push(events as never)
      return events as never
    },
    async ping() {
      await own.query('select 1')
    },
    async close() {
      await closeInOrder(parts, async () => {
        await Promise.allSettled(pools.map((each) => each.end()))
      })
    },
  }
}

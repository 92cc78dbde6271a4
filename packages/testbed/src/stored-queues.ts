import { type BackendFactory, createPostgresBackend, createRedisBackend, type IQueueBackend, type JobType, withBackend } from 'bullmq'
import pg from 'pg'

/** A job as BullMQ stores it. */
export type StoredJob = { readonly data: unknown; readonly opts: object; readonly attemptsMade: number }

/** The queues of a suite as BullMQ stores them, for tests that inspect or remove jobs without the service. */
export type StoredQueues = {
  /** Returns the jobs in these states; in all states if none is given. */
  jobs(queue: string, ...states: JobType[]): Promise<StoredJob[]>
  /** Removes the jobs that are waiting or delayed. */
  drain(queue: string): Promise<void>
  /** Removes all jobs, running ones too. */
  lose(queue: string): Promise<void>
  /** Calls the listener when the worker of a job has died. */
  onStalled(queue: string, listener: () => void): void
  close(): Promise<void>
}

export function openStoredQueues({ url, prefix }: { readonly url: string; readonly prefix: string }): StoredQueues {
  if (!url.startsWith('postgres')) return open(createRedisBackend, { url }, prefix, async () => {})
  const pool = new pg.Pool({ connectionString: url, max: 8, options: '-c search_path=bullmq' })
  pool.on('error', () => {})
  return open(createPostgresBackend, pool, prefix, () => pool.end())
}

function open<B extends IQueueBackend, C>(
  backend: BackendFactory<B, C>,
  connection: C,
  prefix: string,
  end: () => Promise<void>,
): StoredQueues {
  const { Queue, QueueEvents } = withBackend(backend)
  const parts: { close(): Promise<void> }[] = []
  const opened = new Map<string, ReturnType<typeof openQueue>>()

  function openQueue(name: string) {
    const queue = new Queue(name, { connection, prefix })
    queue.on('error', () => {})
    parts.push(queue)
    return queue
  }
  function queueOf(name: string) {
    const queue = opened.get(name) ?? openQueue(name)
    opened.set(name, queue)
    return queue
  }

  return {
    jobs: async (queue, ...states) => await queueOf(queue).getJobs(states.length === 0 ? undefined : states),
    drain: async (queue) => await queueOf(queue).drain(true),
    lose: async (queue) => await queueOf(queue).obliterate({ force: true }),
    onStalled(queue, listener) {
      const events = new QueueEvents(queue, { connection, prefix })
      events.on('error', () => {})
      events.on('stalled', listener)
      parts.push(events)
    },
    async close() {
      await Promise.all(parts.map((part) => part.close()))
      await end()
    },
  }
}

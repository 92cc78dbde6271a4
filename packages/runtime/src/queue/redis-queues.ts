import { type JobsOptions, Queue, QueueEvents, Worker } from 'bullmq'
import type { Cluster, Redis, RedisOptions } from 'ioredis'
import { ConfigError } from '../env.ts'
import type { Log } from '../log.ts'
import { closeInOrder } from './close.ts'
import { connectRedis } from './connect-redis.ts'
import { FINISHED_KEPT_S, JOB_OPTIONS, WORKER_OPTIONS } from './job-options.ts'
import type { Queues } from './queues.ts'

/** A producer must fail fast: an outbox row that was not added is added later. */
const PRODUCER: RedisOptions = { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 5_000, connectTimeout: 5_000 }
/** A worker and a listener must wait. */
const CONSUMER: RedisOptions = { maxRetriesPerRequest: null, connectTimeout: 5_000 }

/** Of two minutes of a backlog, finished jobs alone would be 600 MB: no more than so many are kept. A producer that then asks in vain adds its job again. */
const FINISHED_KEPT = 500
const REDIS_JOB_OPTIONS: JobsOptions = { ...JOB_OPTIONS, removeOnComplete: { age: FINISHED_KEPT_S, count: FINISHED_KEPT } }

/** Throws a ConfigError for a prefix that would spread a queue's keys over the slots of a cluster. */
export function openRedisQueues(redisUrl: string, prefix: string, log: Log): Queues {
  if (/^rediss?\+cluster:/.test(redisUrl) && !/\{[^{}]+\}/.test(prefix)) {
    throw new ConfigError(
      'QUEUE_PREFIX must hold a {tag} when QUEUE_URL names a Redis Cluster: all keys of a queue have to lie in one slot',
    )
  }
  const connections: (Redis | Cluster)[] = []
  const parts: { queues: Queue[]; workers: Worker[]; events: QueueEvents[] } = { queues: [], workers: [], events: [] }
  const onError = (err: Error) => log.warn({ err }, 'the queue connection failed')

  function connect(options: RedisOptions): Redis | Cluster {
    const redis = connectRedis(redisUrl, options)
    redis.on('error', onError)
    connections.push(redis)
    return redis
  }

  const producer = connect(PRODUCER)
  return {
    queue(name) {
      const queue = new Queue(name, { connection: producer, prefix, defaultJobOptions: REDIS_JOB_OPTIONS })
      queue.on('error', onError)
      parts.queues.push(queue)
      return queue as never
    },
    worker(name, work, concurrency) {
      const worker = new Worker(name, work as never, { connection: connect(CONSUMER), prefix, concurrency, ...WORKER_OPTIONS })
      worker.on('error', onError)
      parts.workers.push(worker)
      return worker as never
    },
    events(name) {
      const events = new QueueEvents(name, { connection: connect(CONSUMER), prefix })
      events.on('error', onError)
      parts.events.push(events)
      return events
    },
    async ping() {
      await producer.ping()
    },
    async close() {
      // BullMQ leaves connections that were handed to it open.
      await closeInOrder(parts, async () => {
        for (const redis of connections) redis.disconnect()
      })
    },
  }
}

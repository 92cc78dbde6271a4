import { createRedisBackend } from 'bullmq'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { ConfigError } from '../env.ts'
import type { Log } from '../log.ts'
import { BLOCK_MS, COMPLETED_KEPT_SECONDS, openBullQueues } from './bull-queues.ts'
import type { Queues } from './queues.ts'

const SHARED: RedisOptions = { connectTimeout: 5_000, keepAlive: 5_000, disconnectTimeout: 500 }
/** A producer must fail fast: its caller adds the job again later. A Redis that is silent for 5 s has disappeared. */
export const PRODUCER: RedisOptions = {
  ...SHARED,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 5_000,
  socketTimeout: 5_000,
}
/** A worker must wait until Redis is reachable. The timeout is longer than the time that BullMQ needs to close a silent connection. */
const WORKER: RedisOptions = { ...SHARED, maxRetriesPerRequest: null, socketTimeout: BLOCK_MS + 2_000 }
/** Without a socket timeout: if one ends while BullMQ closes the silent connection of a listener, BullMQ never opens another. */
const LISTENER: RedisOptions = { ...SHARED, maxRetriesPerRequest: null }

/**
 * Maximum number of completed jobs that are kept. During a backlog, the completed jobs of two minutes would take 600 MB. A producer that does
 * not find its job adds it again.
 */
const COMPLETED_KEPT = 500

/** Opens queues in Redis or in a Redis Cluster. Throws a ConfigError if `prefix` would spread a queue over several slots of a cluster. */
export function openRedisQueues(redisUrl: string, prefix: string, log: Log): Queues {
  if (/^rediss?\+cluster:/.test(redisUrl) && !/\{[^{}]+\}/.test(prefix)) {
    throw new ConfigError('QUEUE_PREFIX must contain a {tag} if QUEUE_URL names a Redis Cluster: all keys of a queue must be in one slot')
  }
  const connections: (Redis | Cluster)[] = []

  function connect(options: RedisOptions): Redis | Cluster {
    const redis = connectRedis(redisUrl, options)
    redis.on('error', (err) => log.warn({ err }, 'the connection to Redis failed'))
    connections.push(redis)
    return redis
  }

  const producer = connect(PRODUCER)

  async function readMemoryShare(): Promise<number | undefined> {
    const info = await producer.info('memory')
    const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0)
    const max = read('maxmemory')
    return max > 0 ? read('used_memory') / max : undefined
  }

  return openBullQueues(
    {
      backend,
      prefix,
      kept: { age: COMPLETED_KEPT_SECONDS, count: COMPLETED_KEPT },
      connect: (use) => (use === 'queue' ? producer : connect(use === 'events' ? LISTENER : WORKER)),
      async ping() {
        if (((await readMemoryShare()) ?? 0) >= 1) throw new Error('Redis has used up its maxmemory and stores no more jobs')
      },
      readMemoryShare,
      async disconnect() {
        for (const redis of connections) redis.disconnect()
      },
    },
    log,
  )
}

/** BullMQ's own backend, in which a worker waits for at most 10 s. */
const backend: typeof createRedisBackend = (...given) =>
  Object.defineProperty(createRedisBackend(...given), 'maximumBlockTimeout', { value: BLOCK_MS / 1_000 })

const reconnectDelayMs = (times: number) => Math.min(1_000, times * 50)

/**
 * Connects to one server (`redis://`, `rediss://`), or to a Redis Cluster: `redis+cluster://:password@h1:6379?nodes=h2:6379,h3:6379`. One node
 * is enough, because it knows the others. With several, a start does not depend on one node.
 */
export function connectRedis(redisUrl: string, options: RedisOptions): Redis | Cluster {
  const url = new URL(redisUrl)
  if (!url.protocol.endsWith('+cluster:')) return new Redis(redisUrl, { ...options, retryStrategy: reconnectDelayMs })
  const { username, password, protocol } = url
  const redisOptions: RedisOptions = {
    ...options,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol.startsWith('rediss') ? { tls: {} } : {}),
  }
  const { enableOfflineQueue = true } = options
  return new Cluster(nodesOf(url), { redisOptions, enableOfflineQueue, clusterRetryStrategy: reconnectDelayMs })
}

function nodesOf(url: URL): { host: string; port: number }[] {
  const hosts = [url.host, ...(url.searchParams.get('nodes') ?? '').split(',')].filter((host) => host !== '')
  return hosts.map((host) => {
    const { hostname, port } = new URL(`redis://${host}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
  })
}

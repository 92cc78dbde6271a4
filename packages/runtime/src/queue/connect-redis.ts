import { Cluster, Redis, type RedisOptions } from 'ioredis'

const retryAfterMs = (times: number) => Math.min(1_000, times * 50)

/**
 * Connects to one server (`redis://`, `rediss://`) or to a Redis Cluster: `redis+cluster://:password@h1:6379?nodes=h2:6379,h3:6379`.
 * Any nodes of it will do, the others are asked for; more than one, so that a start does not hang on a single node.
 */
export function connectRedis(redisUrl: string, options: RedisOptions): Redis | Cluster {
  const url = new URL(redisUrl)
  if (!url.protocol.endsWith('+cluster:')) return new Redis(redisUrl, { ...options, retryStrategy: retryAfterMs })
  const { username, password, protocol } = url
  const redisOptions: RedisOptions = {
    ...options,
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    ...(protocol.startsWith('rediss') ? { tls: {} } : {}),
  }
  const { enableOfflineQueue = true } = options
  return new Cluster(nodesOf(url), { redisOptions, enableOfflineQueue, clusterRetryStrategy: retryAfterMs })
}

function nodesOf(url: URL): { host: string; port: number }[] {
  const hosts = [url.host, ...(url.searchParams.get('nodes') ?? '').split(',')].filter((host) => host !== '')
  return hosts.map((host) => {
    const { hostname, port } = new URL(`redis://${host}`)
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 6379) }
  })
}

import { ConfigError, openLog, openQueues, readServerConfig } from '../src/index.ts'
import { connectRedis } from '../src/queue/connect-redis.ts'

const URL_OF_CLUSTER = 'redis+cluster://me:p%40ss@127.0.0.1:1?nodes=127.0.0.1:2,[::1]:3,127.0.0.1'

describe('the URL of a Redis Cluster', () => {
  it('names its nodes and one login for all', async () => {
    const cluster = connectRedis(URL_OF_CLUSTER, { maxRetriesPerRequest: 0 })
    cluster.on('error', () => {})
    cluster.disconnect()
    expect(Reflect.get(cluster, 'startupNodes')).toEqual([
      { host: '127.0.0.1', port: 1 },
      { host: '127.0.0.1', port: 2 },
      { host: '::1', port: 3 },
      { host: '127.0.0.1', port: 6379 },
    ])
    expect(cluster.options).toMatchObject({ redisOptions: { username: 'me', password: 'p@ss', maxRetriesPerRequest: 0 } })
    expect(cluster.options).not.toHaveProperty('redisOptions.tls')
  })

  it('asks for TLS by its scheme', () => {
    const cluster = connectRedis('rediss+cluster://127.0.0.1:1', {})
    cluster.on('error', () => {})
    cluster.disconnect()
    expect(cluster.options).toHaveProperty('redisOptions.tls')
  })

  it('is taken as QUEUE_URL', () => {
    const env = {
      ...{ DATABASE_URL: 'postgres://x', ADMIN_TOKEN: 'a'.repeat(16), QUEUE_URL: URL_OF_CLUSTER },
      SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    }
    expect(readServerConfig(env, { port: 1, internalPort: 2, queuePrefix: '{x}' }).queueUrl).toBe(URL_OF_CLUSTER)
  })

  it('is refused with a prefix that would spread the keys of a queue', async () => {
    await expect(openQueues(URL_OF_CLUSTER, 'onward', openLog('test', 'silent'))).rejects.toThrow(ConfigError)
  })
})

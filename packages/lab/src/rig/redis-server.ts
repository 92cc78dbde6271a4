import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findRedis, openRedisFolder, type PartsOptions, startRedis } from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import { Redis } from 'ioredis'

/** A Redis server that a run can kill. */
export type RedisServer = {
  readonly url: string
  readonly from: string
  pid(): number
  crash(): Promise<void>
  /** Starts the server again, with its data or with none. */
  start(data: 'kept' | 'lost'): Promise<void>
  /** Starts the server if it has exited, and returns its name if so. */
  revive(): Promise<string[]>
  stop(): Promise<void>
}

/**
 * Returns undefined where no Redis is available. The server writes each command to its file before it responds, or once a second if
 * `everySecond` is true, as in a deployment.
 */
export async function openRedisServer(options: PartsOptions, everySecond = false): Promise<RedisServer | undefined> {
  const program = await findRedis(options)
  if (program === undefined) return undefined
  const { folder, password } = await openRedisFolder(options.dir)
  const port = await fixedPort()
  const log = join(options.dir, 'redis.log')
  const settings = [`appendfsync ${everySecond ? 'everysec' : 'always'}`]
  const launch = () => startRedis({ program, folder, password, log, throwAway: false, port, settings })
  const first = await launch()
  let child: Child = first.child
  return {
    url: first.url,
    from: program.from,
    pid: () => child.pid,
    crash: () => child.stop('SIGKILL', 10_000),
    async start(data) {
      if (data === 'lost') await rm(join(folder, 'appendonlydir'), { recursive: true, force: true })
      child = (await launch()).child
    },
    async revive() {
      if (!child.ended()) return []
      child = (await launch()).child
      return ['Redis']
    },
    stop: () => child.stop('SIGTERM', 10_000),
  }
}

/** Runs `work` over a separate connection, without retries. Throws when a response takes longer than 5 s. */
export async function withRedis<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, retryStrategy: () => null, lazyConnect: true, commandTimeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    client.disconnect()
  }
}

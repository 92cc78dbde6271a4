import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findRedis, openFolder, type PartsOptions, startRedis } from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import type { Redis } from 'ioredis'
import { redisSession } from './redis-session.ts'

/** A Redis of our own that can be killed. It writes each command to its file before it answers. */
export type RedisServer = {
  readonly url: string
  readonly port: number
  readonly from: string
  crash(): Promise<void>
  /** Starts it again: with its data, or with none. */
  start(data: 'kept' | 'lost'): Promise<void>
  /** Starts it when it has ended by itself; gives its name then. */
  revive(): Promise<string[]>
  stop(): Promise<void>
  /** Works over a connection of its own, which breaks with the server. */
  session<T>(work: (client: Redis) => Promise<T>): Promise<T>
}

/** Undefined where no Redis can be had. */
export async function openRedisServer(options: PartsOptions): Promise<RedisServer | undefined> {
  const program = await findRedis(options)
  if (program === undefined) return undefined
  const { folder, password } = await openFolder(options.dir)
  const port = await fixedPort()
  const log = join(options.dir, 'redis.log')
  const settings = ['appendfsync always']
  const launch = () => startRedis({ program, folder, password, log, throwAway: false, port, settings })
  const first = await launch()
  let child: Child = first.child
  return {
    url: first.url,
    port,
    from: program.from,
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
    session: (work) => redisSession(first.url, work),
  }
}

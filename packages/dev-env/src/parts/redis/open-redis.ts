import { join } from 'node:path'
import type { Part, PartsOptions } from '../options.ts'
import { endRedisLeftover, openFolder } from './data-folder.ts'
import { findRedis } from './find-redis.ts'
import { startRedis } from './start-redis.ts'

/** Starts a Redis of our own; undefined where none can be had. */
export async function openRedis(options: PartsOptions): Promise<Part | undefined> {
  const { dir, throwAway, say } = options
  const program = await findRedis(options)
  if (!program) return undefined
  const { folder, password } = await openFolder(dir)
  if (await endRedisLeftover(folder)) say('ended the Redis that an earlier start left running')
  const { child, url, port } = await startRedis({ program, folder, password, throwAway, log: join(dir, 'redis.log') })
  const from = `${program.from}, port ${port}`
  say(from)
  return { url, from, stop: () => child.stop('SIGTERM', 5_000) }
}

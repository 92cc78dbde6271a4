import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { configuredPostgres, configuredRedis } from './configured-servers.ts'
import { openQueueDatabase } from './databases.ts'
import { takeLock } from './lock.ts'
import type { Part, PartsOptions } from './part.ts'
import { removePostgresFolder } from './postgres-data.ts'
import { openPostgres } from './postgres-server.ts'
import { endRedisLeftover, openRedis } from './redis-server.ts'

export type Parts = {
  /** postgres:// URL of a server (database postgres) on which databases and roles may be created. */
  readonly postgresUrl: string
  /** redis:// or rediss:// URL; a postgres:// URL of a separate database if there is no Redis. */
  readonly queueUrl: string
  /** For the terminal: the server's name, version and source. */
  readonly postgresFrom: string
  readonly queueFrom: string
  /** Stops only what was started here. Can be called twice. */
  stop(): Promise<void>
}

/** Finds or starts Postgres and a queue server. If that fails, stops what it started and throws an error with a one-line message. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const configured = await Promise.all([configuredPostgres(options.env), configuredRedis(options.env)])
  const unlock = await takeLock(options.dir)
  const opened: Part[] = []
  try {
    if (options.throwAway) await removeData(options.dir)
    const [postgres, redis] = await openBoth(options, configured, opened)
    const queue = redis ?? (await openQueueDatabase(postgres, options))
    if (!redis) opened.push(queue)
    let stopping: Promise<void> | undefined
    return {
      postgresUrl: postgres.url,
      queueUrl: queue.url,
      postgresFrom: postgres.from,
      queueFrom: queue.from,
      stop: () => {
        stopping ??= close(options, opened, unlock)
        return stopping
      },
    }
  } catch (err) {
    await close(options, opened, unlock).catch(() => undefined)
    throw err
  }
}

/** Opens both servers at the same time. If one fails, still waits for the other, so that the caller can stop it. */
async function openBoth(options: PartsOptions, configured: [Part | undefined, Part | undefined], opened: Part[]) {
  const keep = <P extends Part | undefined>(part: P): P => {
    if (part) opened.push(part)
    return part
  }
  const postgres = Promise.resolve(configured[0] ?? openPostgres(options)).then(keep)
  const redis = Promise.resolve(configured[1] ?? openRedis(options)).then(keep)
  await Promise.allSettled([postgres, redis])
  return Promise.all([postgres, redis])
}

async function close(options: PartsOptions, opened: readonly Part[], unlock: () => Promise<void>): Promise<void> {
  try {
    await Promise.all(opened.map((part) => part.stop()))
    if (options.throwAway) await removeData(options.dir)
  } finally {
    await unlock()
  }
}

/**
 * Removes the data of earlier starts, but not the cache, and nothing on a server that Onward did not start. Throws if a living process
 * uses the folder.
 */
export async function wipeParts(dir: string): Promise<void> {
  const exists = await access(dir).then(
    () => true,
    () => false,
  )
  if (!exists) return
  const unlock = await takeLock(dir)
  try {
    await removeData(dir)
  } finally {
    await unlock()
  }
}

/** Removes the data of Postgres and Redis, and ends servers that a killed start left running there. The caller must hold the lock. */
export async function removeData(dir: string): Promise<void> {
  await endRedisLeftover(join(dir, 'redis'))
  await removePostgresFolder(dir)
  await rm(join(dir, 'redis'), { recursive: true, force: true })
}

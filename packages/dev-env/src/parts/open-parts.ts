import { takeLock } from './lock.ts'
import type { Part, PartsOptions } from './options.ts'
import { givenPostgres } from './postgres/given-postgres.ts'
import { openPostgres } from './postgres/open-postgres.ts'
import { openQueueDatabase } from './postgres/queue-database.ts'
import { givenRedis } from './redis/given-redis.ts'
import { openRedis } from './redis/open-redis.ts'
import { removeData } from './remove-data.ts'

export type Parts = {
  /** postgres:// URL of a server (database postgres) in which databases and roles may be created. */
  readonly postgresUrl: string
  /** redis://, rediss:// or, where no Redis can be had, postgres:// with a database of its own. */
  readonly queueUrl: string
  /** One sentence for the person at the terminal: which was taken, version and where from. */
  readonly postgresFrom: string
  readonly queueFrom: string
  /** Stops only what was started here. Can be called twice; ends in time. */
  stop(): Promise<void>
}

/** Finds or starts Postgres and a queue server. Throws with one clear line when that can't be, and leaves nothing running then. */
export async function openParts(options: PartsOptions): Promise<Parts> {
  const given = await Promise.all([givenPostgres(options.env), givenRedis(options.env)])
  const unlock = await takeLock(options.dir)
  const opened: Part[] = []
  try {
    if (options.throwAway) await removeData(options.dir)
    const [postgres, redis] = await openBoth(options, given, opened)
    const queue = redis ?? (await openQueueDatabase(postgres, options))
    if (!redis) opened.push(queue)
    return describe(postgres, queue, () => close(options, opened, unlock))
  } catch (error) {
    await close(options, opened, unlock).catch(() => undefined)
    throw error
  }
}

/** Both at once. When one fails the other is still waited for, because it has to be stopped. */
async function openBoth(options: PartsOptions, given: [Part | undefined, Part | undefined], opened: Part[]) {
  const keep = <P extends Part | undefined>(part: P): P => {
    if (part) opened.push(part)
    return part
  }
  const postgres = Promise.resolve(given[0] ?? openPostgres(options)).then(keep)
  const redis = Promise.resolve(given[1] ?? openRedis(options)).then(keep)
  await Promise.allSettled([postgres, redis])
  return Promise.all([postgres, redis])
}

function describe(postgres: Part, queue: Part, stop: () => Promise<void>): Parts {
  let stopping: Promise<void> | undefined
  return {
    postgresUrl: postgres.url,
    queueUrl: queue.url,
    postgresFrom: postgres.from,
    queueFrom: queue.from,
    stop: () => {
      stopping ??= stop()
      return stopping
    },
  }
}

async function close(options: PartsOptions, opened: readonly Part[], unlock: () => Promise<void>): Promise<void> {
  try {
    await Promise.all(opened.map((part) => part.stop()))
    if (options.throwAway) await removeData(options.dir)
  } finally {
    await unlock()
  }
}

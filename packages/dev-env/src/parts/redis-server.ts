import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { endLeftover } from './end-leftover.ts'
import type { Part, PartsOptions } from './part.ts'
import { findRedis, type RedisProgram } from './redis-program.ts'
import { type StartedServer, startChild, startServer } from './start-server.ts'

/** Starts a Redis server that belongs to this folder. Returns undefined if no Redis is available. */
export async function openRedis(options: PartsOptions): Promise<Part | undefined> {
  const { dir, throwAway, say } = options
  const program = await findRedis(options)
  if (!program) return undefined
  const { folder, password } = await openRedisFolder(dir)
  if (await endRedisLeftover(folder)) say('ended the Redis that an earlier start left running')
  const { child, url, port } = await startRedis({ program, folder, password, throwAway, log: join(dir, 'redis.log') })
  const from = `${program.from}, port ${port}`
  say(from)
  return { url, from, stop: () => child.stop('SIGTERM', 5_000) }
}

type RedisStart = {
  readonly program: RedisProgram
  readonly folder: string
  readonly password: string
  readonly log: string
  readonly throwAway: boolean
  /** A free port is chosen if this is left out. */
  readonly port?: number
  /** Lines of redis.conf, which override those written here. */
  readonly settings?: readonly string[]
}

/** Starts the server in its folder and waits until it responds. It responds only after it has loaded its data. */
export async function startRedis(start: RedisStart): Promise<StartedServer> {
  const { program, folder, password, log } = start
  return await startServer({
    name: 'Redis',
    log,
    port: start.port,
    stopSignal: 'SIGTERM',
    async spawn(port) {
      await writeConf(start, port)
      return await startChild(program.file, ['redis.conf'], { cwd: folder, env: program.env, log })
    },
    url: (port) => `redis://:${password}@127.0.0.1:${port}`,
    ask: askRedis,
  })
}

/** The password is in the file, because arguments are visible in the process list. Paths are relative to the server's working directory. */
async function writeConf({ folder, password, throwAway, settings = [] }: RedisStart, port: number): Promise<void> {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'pidfile redis.pid',
    'dir .',
    // A queue must not lose jobs when memory is full. The append-only file stores the data, so snapshots are not needed.
    'maxmemory-policy noeviction',
    'save ""',
    throwAway ? 'appendonly no' : 'appendonly yes\nappendfsync everysec',
    ...settings,
  ]
  await writeFile(join(folder, 'redis.conf'), `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** Returns the folder of Redis and its password, and creates them if necessary. */
export async function openRedisFolder(dir: string): Promise<{ folder: string; password: string }> {
  const folder = join(dir, 'redis')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'password')
  const existing = await readFile(file, 'utf8').catch(() => '')
  const password = existing || randomBytes(18).toString('hex')
  if (!existing) await writeFile(file, password, { mode: 0o600 })
  return { folder, password }
}

/** On SIGTERM, Redis writes the rest of its append-only file; see "Redis signal handling" in its manual. */
export function endRedisLeftover(folder: string): Promise<boolean> {
  return endLeftover(join(folder, 'redis.pid'), folder, 'SIGTERM')
}

/** Returns the server's INFO over one connection, without retries. Throws the reason if the server does not respond. */
export async function askRedis(url: string): Promise<string> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    retryStrategy: () => null,
  })
  // The rejected promise only says that the connection is closed. The event has the reason.
  let reason: Error | undefined
  client.on('error', (err: Error) => {
    reason ??= err
  })
  try {
    await client.connect()
    await client.ping()
    return await client.info('server')
  } catch (err) {
    throw reason ?? err
  } finally {
    client.disconnect()
  }
}

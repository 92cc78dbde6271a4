import { execFile } from 'node:child_process'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PartsOptions, removeData } from '@onward/dev-env'
import { openPgBouncer, type PgBouncer } from './pgbouncer.ts'
import { openPostgresServer, type PostgresServer } from './postgres-server.ts'
import { openRedisCluster, type RedisCluster } from './redis-cluster.ts'
import { openRedisServer, type RedisServer } from './redis-server.ts'

/**
 * Where the queue is stored. `pgbouncer`: in Redis, with PgBouncer in front of Postgres. `redis` uses Postgres if no Redis is available.
 */
export const STORES = ['redis', 'postgres', 'cluster', 'pgbouncer'] as const
export type StoreKind = (typeof STORES)[number]

export type Stores = {
  readonly postgres: PostgresServer
  /** The same server, unless insights has its own. */
  readonly insightsPostgres: PostgresServer
  readonly redis: RedisServer | undefined
  readonly cluster: RedisCluster | undefined
  readonly pgbouncer: PgBouncer | undefined
  /** Which Redis is used, or that there is none. */
  readonly queueFrom: string
  /** The file system of the stores' data, where it can be filled. */
  readonly disk: Disk | undefined
}

/** A file system in memory that a run can fill. */
type Disk = { fill(): Promise<void>; empty(): Promise<void>; close(): Promise<void> }

/** The functions that close what was opened, in the order of opening. */
export type Closers = (() => Promise<void> | void)[]

type Options = {
  /** The checkout. */
  readonly root: string
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  readonly on: StoreKind
  /** Whether to put the data on a file system that can be filled. */
  readonly tmpfs: boolean
  /** Whether insights has its own Postgres server. */
  readonly twoServers?: boolean
  /** Whether the stores write to their disks as in a deployment: Postgres at each commit, Redis once a second. */
  readonly realDisks?: boolean
}

export async function openStores({ root, dir, env, on, tmpfs, twoServers, realDisks }: Options, closers: Closers): Promise<Stores> {
  await mkdir(dir, { recursive: true })
  const disk = tmpfs ? await openTmpfs(dir) : undefined
  if (disk !== undefined) closers.push(disk.close)
  await removeData(dir)
  await rm(join(dir, 'pgbouncer'), { recursive: true, force: true })
  const parts: PartsOptions = {
    dir,
    cacheDir: join(root, '.onward/parts'),
    env: { ...env, DATABASE_URL: undefined, REDIS_URL: undefined },
    throwAway: true,
    say: () => {},
  }
  closers.push(() => removeData(dir))
  const postgres = await openPostgresServer(parts, realDisks)
  closers.push(postgres.stop)
  const insightsPostgres = twoServers === true ? await openSecondPostgres(parts, closers) : postgres
  const cluster = on === 'cluster' ? await openRedisCluster(parts) : undefined
  const redis = on === 'redis' || on === 'pgbouncer' ? await openRedisServer(parts, realDisks) : undefined
  if (on === 'cluster' && cluster === undefined) throw new Error('--on cluster: no Redis is available')
  for (const store of [cluster, redis]) if (store !== undefined) closers.push(store.stop)
  const pgbouncer = on === 'pgbouncer' ? await openPgBouncer(env, join(dir, 'pgbouncer'), postgres) : undefined
  if (pgbouncer !== undefined) closers.push(pgbouncer.stop)
  return {
    postgres,
    insightsPostgres,
    redis,
    cluster,
    pgbouncer,
    queueFrom: redis?.from ?? cluster?.from ?? 'the queue is in Postgres',
    disk,
  }
}

async function openSecondPostgres(parts: PartsOptions, closers: Closers): Promise<PostgresServer> {
  const dir = join(parts.dir, 'insights')
  await mkdir(dir, { recursive: true })
  await removeData(dir)
  closers.push(() => removeData(dir))
  const postgres = await openPostgresServer({ ...parts, dir })
  closers.push(postgres.stop)
  return postgres
}

const run = promisify(execFile)
const SIZE = 'size=8g'

/** Returns undefined where mounting is not permitted: it needs root. */
async function openTmpfs(dir: string): Promise<Disk | undefined> {
  if (process.getuid?.() !== 0) return undefined
  try {
    await run('mount', ['-t', 'tmpfs', '-o', SIZE, 'tmpfs', dir])
  } catch {
    return undefined
  }
  return {
    async fill() {
      // The kernel rejects a size below the data, which can grow between the two calls. Then try again with more spare space.
      for (let spare = 64; ; spare *= 2) {
        const { blocks, bfree, bsize } = await statfs(dir)
        const size = Math.ceil(((blocks - bfree) * bsize) / 1_024) + spare
        try {
          return void (await run('mount', ['-o', `remount,size=${size}k`, dir]))
        } catch (err) {
          if (spare > 100_000) throw err
        }
      }
    },
    empty: async () => void (await run('mount', ['-o', `remount,${SIZE}`, dir])),
    close: async () => void (await run('umount', ['-l', dir])),
  }
}

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type PartsOptions, removeData } from '@onward/dev-env'
import { openRedisCluster, type RedisCluster } from './cluster-server.ts'
import type { Closers, RigOptions } from './options.ts'
import { findPgBouncer, openPgBouncer, type PgBouncer } from './pgbouncer.ts'
import { openPostgresServer, type PostgresServer } from './postgres-server.ts'
import { openRedisServer, type RedisServer } from './redis-server.ts'
import { openTmpfs, type Tmpfs } from './tmpfs.ts'

export type Stores = {
  readonly postgres: PostgresServer
  readonly redis: RedisServer | undefined
  readonly cluster: RedisCluster | undefined
  readonly pgbouncer: PgBouncer | undefined
  /** Which Redis; that there is none, else. */
  readonly queueFrom: string
  /** What the stores' data lies on, where it may be made full. */
  readonly disk: Tmpfs | undefined
}

export async function openStores(options: RigOptions, closers: Closers): Promise<Stores> {
  const dir = join(options.dir, 'stores')
  await mkdir(dir, { recursive: true })
  const disk = options.tmpfs ? await openTmpfs(dir) : undefined
  if (disk !== undefined) closers.push(disk.close)
  await removeData(dir)
  await rm(join(dir, 'pgbouncer'), { recursive: true, force: true })
  const parts = {
    dir,
    cacheDir: join(options.root, '.onward/parts'),
    env: { ...options.env, DATABASE_URL: undefined, REDIS_URL: undefined },
    throwAway: true,
    say: () => {},
  }
  closers.push(() => removeData(dir))
  const postgres = await openPostgresServer(parts)
  closers.push(postgres.stop)
  const opened = await openQueueStore(options, parts, closers)
  const queueFrom = opened.redis?.from ?? opened.cluster?.from ?? 'the queue lives in Postgres'
  return { postgres, ...opened, pgbouncer: await openFront(options, dir, postgres, closers), queueFrom, disk }
}

async function openQueueStore({ on }: RigOptions, parts: PartsOptions, closers: Closers): Promise<Pick<Stores, 'redis' | 'cluster'>> {
  const cluster = on === 'cluster' ? await openRedisCluster(parts) : undefined
  const redis = on === 'redis' || on === 'pgbouncer' ? await openRedisServer(parts) : undefined
  if (on === 'cluster' && cluster === undefined) throw new Error('--on cluster: no Redis can be had here')
  for (const store of [cluster, redis]) if (store !== undefined) closers.push(store.stop)
  return { redis, cluster }
}

async function openFront({ on, env }: RigOptions, dir: string, postgres: PostgresServer, closers: Closers): Promise<PgBouncer | undefined> {
  if (on !== 'pgbouncer') return undefined
  const file = findPgBouncer(env)
  if (file === undefined) throw new Error('--on pgbouncer: pgbouncer is not installed here')
  const front = await openPgBouncer(file, join(dir, 'pgbouncer'), postgres)
  closers.push(front.stop)
  return front
}

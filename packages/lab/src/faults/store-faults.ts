import { QUEUE_PREFIX, TASK_QUEUE } from '@onward/contract'
import type { Chance } from '../numbers.ts'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { type RedisServer, withRedis } from '../rig/redis-server.ts'
import { type Fault, type Pace, waitBetween } from './fault.ts'

type RedisFault = (redis: RedisServer, chance: Chance, pace: Pace) => Promise<string>

export const STORE_FAULTS: readonly Fault[] = [
  onRedis('redis-kill', killRedis('kept')),
  onRedis('redis-loss', killRedis('lost')),
  onRedis('flushall', ({ url }) => withRedis(url, (client) => client.flushall())),
  onRedis('redis-oom', restrict('maxmemory', '1', '0')),
  onRedis('redis-clients', restrict('maxclients', '1', '10000')),
  { name: 'postgres-kill', run: crashPostgres },
  { name: 'postgres-connections', run: limitConnections },
  { name: 'disk-full', whyImpossible: (rig) => (rig.disk === undefined ? 'a tmpfs needs root' : undefined), run: fillDisk },
  {
    name: 'cluster-failover',
    whyImpossible: (rig) => (rig.cluster === undefined ? 'only with --on cluster' : undefined),
    run: async (rig) => `${await rig.cluster?.failOver(`${QUEUE_PREFIX}:${TASK_QUEUE}:id`)} killed, its replica took over`,
  },
  {
    name: 'pgbouncer-kill',
    whyImpossible: (rig) => (rig.pgbouncer === undefined ? 'only with --on pgbouncer' : undefined),
    async run(rig) {
      await rig.pgbouncer?.restart()
      return 'killed, started again'
    },
  },
]

function onRedis(name: string, fault: RedisFault): Fault {
  return {
    name,
    whyImpossible: (rig) => (rig.redis === undefined ? `there is no single Redis: ${rig.queueFrom}` : undefined),
    run: async ({ redis }, chance, pace) => (redis === undefined ? 'no Redis' : await fault(redis, chance, pace)),
  }
}

function killRedis(data: 'kept' | 'lost'): RedisFault {
  return async (redis, chance, { downMs }) => {
    await redis.crash()
    const ms = await waitBetween(chance, downMs)
    await redis.start(data)
    return `down for ${ms} ms, data ${data}`
  }
}

/** Limits a setting so that Redis refuses commands for some time. Open connections are closed, so that it applies to them too. */
function restrict(setting: string, restricted: string, normal: string): RedisFault {
  return ({ url }, chance, { disturbedMs }) =>
    withRedis(url, async (client) => {
      await client.config('SET', setting, restricted)
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal')
      try {
        return `${setting} ${restricted} for ${await waitBetween(chance, disturbedMs)} ms`
      } finally {
        await client.config('SET', setting, normal)
      }
    })
}

async function crashPostgres({ postgres }: Rig, chance: Chance, { downMs }: Pace): Promise<string> {
  await postgres.crash()
  const ms = await waitBetween(chance, downMs)
  await postgres.start()
  return `down for ${ms} ms and its recovery`
}

/** Leaves one database two connections, as if other clients had taken the rest. Open connections are closed. */
async function limitConnections({ postgres }: Rig, chance: Chance, { disturbedMs }: Pace): Promise<string> {
  const name = chance.pick(['onward_functions', 'onward_insights'])
  await queryPostgres(postgres.url, `alter database ${name} connection limit 2`)
  try {
    await queryPostgres(postgres.url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    return `${name}: 2 connections for ${await waitBetween(chance, disturbedMs)} ms`
  } finally {
    await queryPostgres(postgres.url, `alter database ${name} connection limit -1`)
  }
}

/** Fills the disk of both stores. A store that exits because of it is started again. */
async function fillDisk({ disk, postgres, redis, cluster }: Rig, chance: Chance, { disturbedMs }: Pace): Promise<string> {
  await disk?.fill()
  const ms = await waitBetween(chance, disturbedMs).finally(() => disk?.empty())
  const ended = [...(await postgres.revive()), ...((await redis?.revive()) ?? []), ...((await cluster?.revive()) ?? [])]
  return `full for ${ms} ms${ended.length > 0 ? `; exited and started again: ${ended.join(', ')}` : ''}`
}

import { setTimeout as sleep } from 'node:timers/promises'
import { askPostgres } from '../ask-postgres.ts'
import type { Chance } from '../chance.ts'
import type { Fault, Pace } from '../fault.ts'
import type { Rig } from '../rig/open-rig.ts'
import type { RedisServer } from '../rig/redis-server.ts'

type RedisFault = (redis: RedisServer, chance: Chance, pace: Pace) => Promise<string>

function onRedis(name: string, work: RedisFault): Fault {
  return {
    name,
    lacks: (rig) => (rig.redis === undefined ? `no single Redis here: ${rig.queueFrom}` : undefined),
    run: (rig, chance, pace) => work(rig.redis as RedisServer, chance, pace),
  }
}

const kill =
  (data: 'kept' | 'lost'): RedisFault =>
  async (redis, chance, { downMs }) => {
    await redis.crash()
    const ms = Math.round(chance.between(...downMs))
    await sleep(ms)
    await redis.start(data)
    return `down for ${ms} ms, data ${data}`
  }

/** A setting that lets nothing through for a while. Connections that are open are closed, so that it holds for them too. */
const squeeze =
  (setting: string, tight: string, wide: string): RedisFault =>
  (redis, chance, { weatherMs }) =>
    redis.session(async (client) => {
      const ms = Math.round(chance.between(...weatherMs))
      await client.config('SET', setting, tight)
      await client.call('CLIENT', 'KILL', 'TYPE', 'normal')
      try {
        await sleep(ms)
      } finally {
        await client.config('SET', setting, wide)
      }
      return `${setting} ${tight} for ${ms} ms`
    })

async function crashPostgres(rig: Rig, chance: Chance, { downMs }: Pace): Promise<string> {
  await rig.postgres.crash()
  const ms = Math.round(chance.between(...downMs))
  await sleep(ms)
  await rig.postgres.start()
  return `down for ${ms} ms and its recovery`
}

/** As when somebody else has taken them all: those that are open are closed too. */
async function limitConnections(rig: Rig, chance: Chance, { weatherMs }: Pace): Promise<string> {
  const ms = Math.round(chance.between(...weatherMs))
  const name = chance.pick(['onward_functions', 'onward_insights'])
  await askPostgres(rig.postgres.url, `alter database ${name} connection limit 2`)
  try {
    await askPostgres(rig.postgres.url, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await sleep(ms)
  } finally {
    await askPostgres(rig.postgres.url, `alter database ${name} connection limit -1`)
  }
  return `${name}: 2 connections for ${ms} ms`
}

export const stores: readonly Fault[] = [
  onRedis('redis-kill', kill('kept')),
  onRedis('redis-loss', kill('lost')),
  onRedis('flushall', (redis) => redis.session((client) => client.flushall())),
  onRedis('redis-oom', squeeze('maxmemory', '1', '0')),
  onRedis('redis-clients', squeeze('maxclients', '1', '10000')),
  { name: 'postgres-kill', run: crashPostgres },
  { name: 'postgres-connections', run: limitConnections },
]

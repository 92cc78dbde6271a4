import { isUrl } from '@onward/runtime'
import pg from 'pg'
import { askPostgres } from './databases.ts'
import { type Part, reasonOf } from './part.ts'
import { askRedis } from './redis-server.ts'

/** Returns the Postgres server of DATABASE_URL, or undefined if the variable is not set. Throws if the server cannot be used. */
export async function configuredPostgres(env: NodeJS.ProcessEnv): Promise<Part | undefined> {
  const url = env.DATABASE_URL
  if (!url) return undefined
  const address = postgresAddress(url)
  try {
    const [row] = await askPostgres(url, 'show server_version')
    const version = String(row?.server_version).split(' ')[0]
    return { url, from: `Postgres ${version} at ${address}, from DATABASE_URL`, stop: async () => undefined }
  } catch (err) {
    const advice = 'start it, correct the variable, or unset it to let Onward start its own Postgres'
    throw new Error(`DATABASE_URL: Postgres at ${address} cannot be used (${reasonOf(err)}): ${advice}`)
  }
}

/** Returns the Redis server of REDIS_URL, or undefined if the variable is not set. Throws if the server cannot be used. */
export async function configuredRedis(env: NodeJS.ProcessEnv): Promise<Part | undefined> {
  const url = env.REDIS_URL
  if (!url) return undefined
  const address = redisAddress(url)
  try {
    const version = /redis_version:(\S+)/.exec(await askRedis(url))?.[1] ?? 'of unknown version'
    return { url, from: `Redis ${version} at ${address}, from REDIS_URL`, stop: async () => undefined }
  } catch (err) {
    const advice = 'start it, correct the variable, or unset it to let Onward find its own Redis'
    throw new Error(`REDIS_URL: Redis at ${address} cannot be used (${reasonOf(err)}): ${advice}`)
  }
}

/** Returns host and port, with the driver's defaults. The error has no `cause`, because Node's own error contains the password. */
function postgresAddress(url: string): string {
  const readable = /^postgres(ql)?:\/\//.test(url) && isUrl(url)
  if (!readable) throw new Error('DATABASE_URL is not a postgres:// URL: correct or unset it')
  const { host, port } = new pg.Client(url)
  return `${host}:${port}`
}

function redisAddress(url: string): string {
  const readable = /^rediss?:\/\//.test(url) && isUrl(url)
  if (!readable) throw new Error('REDIS_URL is not a redis:// or rediss:// URL: correct or unset it')
  const { hostname, port } = new URL(url)
  return `${hostname || 'localhost'}:${port || '6379'}`
}

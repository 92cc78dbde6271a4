import { randomBytes } from 'node:crypto'
import type { Part, PartsOptions } from '../options.ts'
import { askPostgres } from './ask-postgres.ts'

/** Where no Redis can be had: a database of its own for the queue. A throw-away one on somebody else's server goes on stop. */
export async function openQueueDatabase(postgres: Part, { env, throwAway, say }: PartsOptions): Promise<Part> {
  const name = throwAway ? `onward_queue_${randomBytes(4).toString('hex')}` : 'onward_queue'
  const known = await askPostgres(postgres.url, `select from pg_database where datname = '${name}'`)
  if (known.length === 0) await askPostgres(postgres.url, `create database ${name}`)
  const url = new URL(postgres.url)
  url.pathname = name
  const from = `No Redis here: the queue lives in Postgres, database ${name}`
  say(from)
  const drop = async () => {
    if (throwAway && env.DATABASE_URL) await askPostgres(postgres.url, `drop database if exists ${name} with (force)`)
  }
  return { url: url.href, from, stop: drop }
}

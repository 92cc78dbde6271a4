import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import pg from 'pg'
import { openParts, type Parts, wipeParts } from '../src/parts/open-parts.ts'

const cacheDir = join(process.cwd(), '.onward', 'parts')
const path = { PATH: process.env.PATH }
const anySource = { ...path, ONWARD_SKIP: process.env.ONWARD_SKIP }
const noRedis = { ...path, ONWARD_SKIP: 'system,apt' }

let dir: string
let running: Parts[]

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onward-parts-'))
  // If the tests run as root, the account of Postgres must be able to enter the folder.
  await chmod(dir, 0o755)
  running = []
})

afterEach(async () => {
  await Promise.all(running.map((parts) => parts.stop()))
  await wipeParts(dir)
  await rm(dir, { recursive: true })
})

async function open(env: NodeJS.ProcessEnv, throwAway: boolean): Promise<Parts> {
  const parts = await openParts({ dir, cacheDir, env, throwAway, say: () => undefined })
  running.push(parts)
  return parts
}

async function sql(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function queueResponses(url: string): Promise<boolean> {
  if (url.startsWith('postgres:')) return (await sql(url, 'select 1')).length === 1
  const client = new Redis(url)
  try {
    return (await client.ping()) === 'PONG'
  } finally {
    client.disconnect()
  }
}

const exists = (name: string) =>
  access(join(dir, name)).then(
    () => true,
    () => false,
  )

const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (err: Error) => err.message,
  )

describe('openParts', () => {
  it('starts and stops a Postgres and a queue server', async () => {
    const parts = await open(anySource, true)
    expect(await sql(parts.postgresUrl, 'show fsync')).toEqual([{ fsync: 'off' }])
    expect(await queueResponses(parts.queueUrl)).toBe(true)
    expect(parts.postgresFrom).toMatch(/^Postgres \d+/)

    await parts.stop()
    await parts.stop()
    await expect(sql(parts.postgresUrl, 'select 1')).rejects.toThrow('ECONNREFUSED')
    expect(await exists('postgres')).toBe(false)
    expect(await exists('redis')).toBe(false)
  })

  it('keeps the data of both for the next start', async () => {
    const first = await open(anySource, false)
    await sql(first.postgresUrl, 'create database kept')
    const queue = first.queueUrl.startsWith('redis:') ? new Redis(first.queueUrl) : undefined
    await queue?.set('kept', 'yes')
    queue?.disconnect()
    await first.stop()

    const second = await open(anySource, false)
    expect(await sql(second.postgresUrl, "select datname from pg_database where datname = 'kept'")).toHaveLength(1)
    const again = queue && new Redis(second.queueUrl)
    expect(await again?.get('kept')).toBe(queue && 'yes')
    again?.disconnect()
  })

  it('uses a Postgres database for the queue if there is no Redis', async () => {
    const { queueUrl, queueFrom } = await open(noRedis, false)
    expect(await sql(queueUrl, 'select current_database() as name')).toEqual([{ name: 'onward_queue' }])
    expect(queueFrom).toBe('No Redis found: the queue uses Postgres, database onward_queue')
  })

  it('refuses to start a second time in the same folder', async () => {
    await open(noRedis, true)
    expect(await messageOf(open(noRedis, true))).toBe(`Onward already runs from this folder (process ${process.pid}): ${dir}`)
    expect(await messageOf(wipeParts(dir))).toContain('Onward already runs from this folder')
  })

  it('ends the servers of a killed start and takes over its lock', async () => {
    const killed = await open(anySource, false)
    await writeFile(join(dir, 'lock'), '999999999 1\n')
    const next = await open(anySource, false)
    await expect(sql(killed.postgresUrl, 'select 1')).rejects.toThrow('ECONNREFUSED')
    expect(await sql(next.postgresUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  it('uses the server of DATABASE_URL and leaves nothing on it', async () => {
    const owner = await open(noRedis, true)
    const own = dir
    dir = await mkdtemp(join(tmpdir(), 'onward-parts-'))
    const guest = await open({ ...noRedis, DATABASE_URL: owner.postgresUrl }, true)
    expect(guest.postgresUrl).toBe(owner.postgresUrl)
    expect(guest.postgresFrom).toMatch(/^Postgres \d+.* at 127\.0\.0\.1:\d+, from DATABASE_URL$/)
    expect(await queueResponses(guest.queueUrl)).toBe(true)

    await guest.stop()
    expect(await sql(owner.postgresUrl, "select datname from pg_database where datname like 'onward_queue_%'")).toHaveLength(1)
    await rm(dir, { recursive: true })
    dir = own
  })

  it.each([
    ['DATABASE_URL', 'postgres://me:s3cret@127.0.0.1:1/mine', '127.0.0.1:1'],
    ['REDIS_URL', 'redis://:s3cret@127.0.0.1:1', '127.0.0.1:1'],
    ['DATABASE_URL', 'mysql://me:s3cret@127.0.0.1/mine', 'is not a postgres:// URL'],
    ['REDIS_URL', 'http://me:s3cret@127.0.0.1', 'is not a redis:// or rediss:// URL'],
  ])('says that %s cannot be used, and does not print the password (%#)', async (name, url, part) => {
    const message = await messageOf(open({ ...path, [name]: url }, true))
    expect(message).toMatch(new RegExp(`^${name}\\b`))
    expect(message).toContain(part)
    expect(message).not.toContain('s3cret')
    expect(message).not.toContain('\n')
  })

  it('says what to do if another major version created the data', async () => {
    const parts = await open(noRedis, false)
    await parts.stop()
    await writeFile(join(dir, 'postgres', 'data', 'PG_VERSION'), '9\n')
    expect(await messageOf(open(noRedis, false))).toMatch(/was created by Postgres 9, but only .* was found: run npm start -- --fresh/)
  })
})

describe('wipeParts', () => {
  it('removes the data, so that the next start has empty databases', async () => {
    const first = await open(noRedis, false)
    await sql(first.postgresUrl, 'create database kept')
    await first.stop()
    await wipeParts(dir)
    expect(await exists('postgres')).toBe(false)

    const second = await open(noRedis, false)
    expect(await sql(second.postgresUrl, "select datname from pg_database where datname = 'kept'")).toEqual([])
  })

  it('does nothing if there was no start before', async () => {
    await expect(wipeParts(join(dir, 'never'))).resolves.toBeUndefined()
    expect(await exists('never')).toBe(false)
  })
})

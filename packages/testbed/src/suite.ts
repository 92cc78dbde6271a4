import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { serverUrl, testLogLevel, testParts } from './test-parts.ts'

export type Suite = {
  readonly databaseUrl: string
  /** Redis, or Postgres if there is no Redis. */
  readonly queueUrl: string
  /** Separates this suite's queues from other suites' queues. */
  readonly queuePrefix: string
  /** Throws if a connection to the suite's database is still open, so that a leak is noticed. */
  close(): Promise<void>
}

/** Creates a database for the suite, cloned from the migrated template, and opens a queue space. */
export async function openSuite(template: 'functions' | 'insights'): Promise<Suite> {
  const name = `suite_${randomBytes(6).toString('hex')}`
  await onServer(`create database ${name} template onward_template_${template}`)
  const queue = await openQueueSpace()
  return {
    databaseUrl: serverUrl(name),
    queueUrl: queue.url,
    queuePrefix: queue.prefix,
    async close() {
      await dropDatabase(name)
      await queue.close()
    },
  }
}

/** Where the queues of a suite are stored, separate from other suites' queues. */
export type QueueSpace = { readonly url: string; readonly prefix: string; close(): Promise<void> }

/** Opens a queue store that no other test uses, on the given backend or on the preferred one. */
export async function openQueueSpace(backend: 'redis' | 'postgres' = queueBackends()[0] ?? 'postgres'): Promise<QueueSpace> {
  const id = randomBytes(6).toString('hex')
  const { redisUrl } = testParts()
  if (backend === 'redis' && redisUrl !== undefined) return { url: redisUrl, prefix: `{suite_${id}}`, close: async () => {} }
  await onServer(`create database queue_${id}`)
  return { url: serverUrl(`queue_${id}`), prefix: '{onward}', close: () => dropDatabase(`queue_${id}`) }
}

/** Returns the queue backends that are available, the preferred one first. */
export function queueBackends(): ('redis' | 'postgres')[] {
  return testParts().redisUrl === undefined ? ['postgres'] : ['redis', 'postgres']
}

/** The admin token of services that start with `areaEnv`. */
export const ADMIN_TOKEN = 'admin-token-of-the-tests'

/** Returns the environment of a service on free loopback ports, with a suite's database and queues. */
export function areaEnv({ databaseUrl, queueUrl, queuePrefix }: Omit<Suite, 'close'>): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    QUEUE_URL: queueUrl,
    QUEUE_PREFIX: queuePrefix,
    HOST: '127.0.0.1',
    PORT: '0',
    INTERNAL_HOST: '127.0.0.1',
    INTERNAL_PORT: '0',
    ADMIN_TOKEN,
    SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
    ALLOW_PLAIN_HTTP: 'true',
    OUTGOING_REACH: 'local',
    LOG_LEVEL: testLogLevel(),
  }
}

async function dropDatabase(name: string): Promise<void> {
  const deadline = Date.now() + 3_000
  for (;;) {
    try {
      return await onServer(`drop database ${name}`)
    } catch (err) {
      // 55006: in use. The server notices a closed socket only after a moment.
      if ((err as { code?: string }).code !== '55006' || Date.now() > deadline) {
        await onServer(`drop database ${name} with (force)`)
        throw new Error(`a connection to the suite's database was left open: ${(err as Error).message}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client(serverUrl('postgres'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

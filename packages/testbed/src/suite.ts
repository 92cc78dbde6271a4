import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { serverUrl, testParts } from './test-parts.ts'

export type Suite = {
  readonly databaseUrl: string
  /** The best queue store there is: Redis, or Postgres where no Redis can be had. */
  readonly queueUrl: string
  /** Sets this suite's queues apart from those of other suites. */
  readonly queuePrefix: string
  /** Fails when a connection to the suite's database is still open: whoever leaks one finds out here. */
  close(): Promise<void>
}

/** A database of the suite's own, cloned from the migrated template, and a queue name space. */
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

export type QueueSpace = { readonly url: string; readonly prefix: string; close(): Promise<void> }

/** A queue store of the test's own on the given backend, or on the best there is. */
export async function openQueueSpace(backend: 'redis' | 'postgres' = queueBackends()[0] ?? 'postgres'): Promise<QueueSpace> {
  const id = randomBytes(6).toString('hex')
  const { redisUrl } = testParts()
  if (backend === 'redis' && redisUrl !== undefined) return { url: redisUrl, prefix: `{suite_${id}}`, close: async () => {} }
  await onServer(`create database queue_${id}`)
  return { url: serverUrl(`queue_${id}`), prefix: '{onward}', close: () => dropDatabase(`queue_${id}`) }
}

/** The queue backends that can be tested here, the preferred one first. */
export function queueBackends(): ('redis' | 'postgres')[] {
  return testParts().redisUrl === undefined ? ['postgres'] : ['redis', 'postgres']
}

async function dropDatabase(name: string): Promise<void> {
  const deadline = Date.now() + 3_000
  for (;;) {
    try {
      return await onServer(`drop database ${name}`)
    } catch (err) {
      // 55006: in use. A socket that was just closed takes the server a moment to notice.
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

import { join } from 'node:path'
import { QUEUE_PREFIX } from '@onward/contract'
import { type Link, openLink } from './link.ts'
import type { Closers } from './options.ts'
import { makeService, type Service } from './service.ts'

export type Services = {
  readonly functions: readonly Service[]
  readonly insights: readonly Service[]
}

export const ADMIN_TOKEN = 'admin-token-of-the-fault-harness'

const SHARED = {
  ADMIN_TOKEN,
  SEALING_KEYS: `test:${Buffer.alloc(32, 7).toString('base64')}`,
  HOST: '127.0.0.1',
  INTERNAL_HOST: '127.0.0.1',
  ALLOW_PLAIN_HTTP: 'true',
  OUTGOING_REACH: 'local',
  LOG_LEVEL: 'info',
  QUEUE_PREFIX,
}

type Options = {
  readonly root: string
  readonly dir: string
  readonly env: NodeJS.ProcessEnv
  readonly functions: number
  readonly insights: number
  readonly functionsDb: string
  readonly insightsDb: string
  readonly queueUrl: string
  /** Of Postgres, or of what stands before it. */
  readonly postgresPort: number
}

/** Makes the processes, not yet started, each with links of its own to its database and to the queue. */
export async function makeServices(options: Options, closers: Closers): Promise<Services> {
  const { root, dir, functionsDb, insightsDb, queueUrl, postgresPort } = options
  const link = async (port: number): Promise<Link> => {
    const made = await openLink(port)
    closers.push(made.close)
    return made
  }

  async function make(kind: 'functions' | 'insights', name: string, database: string): Promise<Service> {
    const [postgres, queue] = [await link(postgresPort), await link(Number(new URL(queueUrl).port))]
    const env = {
      ...SHARED,
      PATH: options.env.PATH ?? '',
      DATABASE_URL: through(database, postgres),
      // Listeners can't go through PgBouncer.
      ...(new URL(database).port === String(postgresPort) ? {} : { DATABASE_DIRECT_URL: database }),
      // A cluster tells its nodes' own addresses.
      QUEUE_URL: queueUrl.includes('+cluster:') ? queueUrl : through(queueUrl, queue),
      APPS_PATH: 'packages/dev-env/apps',
    }
    const service = await makeService({ root, dir: join(dir, 'logs'), name, kind, env, postgres, queue })
    closers.push(service.end)
    return service
  }

  const functions = await Promise.all(Array.from({ length: options.functions }, (_, n) => make('functions', `A${n + 1}`, functionsDb)))
  const insights = await Promise.all(Array.from({ length: options.insights }, (_, n) => make('insights', `B${n + 1}`, insightsDb)))
  return { functions, insights }
}

function through(url: string, { port }: Link): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}

import { join } from 'node:path'
import { QUEUE_PREFIX } from '@onward/contract'
import { areaEnv } from '@onward/testbed'
import { type Link, openLink } from './link.ts'
import type { Closers } from './options.ts'
import { type Supervised, supervise } from './supervise.ts'

export type Processes = {
  readonly functions: readonly Supervised[]
  readonly insights: readonly Supervised[]
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
export async function makeProcesses(options: Options, closers: Closers): Promise<Processes> {
  const { root, dir, functionsDb, insightsDb, queueUrl, postgresPort } = options
  const link = async (port: number): Promise<Link> => {
    const made = await openLink(port)
    closers.push(made.close)
    return made
  }

  async function make(kind: 'functions' | 'insights', name: string, database: string): Promise<Supervised> {
    const [postgres, queue] = [await link(postgresPort), await link(Number(new URL(queueUrl).port))]
    const env = {
      ...areaEnv({
        databaseUrl: through(database, postgres),
        // A cluster tells its nodes' own addresses.
        queueUrl: queueUrl.includes('+cluster:') ? queueUrl : through(queueUrl, queue),
        queuePrefix: QUEUE_PREFIX,
      }),
      LOG_LEVEL: 'info',
      PATH: options.env.PATH ?? '',
      // Migrations and listeners can't go through PgBouncer.
      ...(new URL(database).port === String(postgresPort) ? {} : { DATABASE_DIRECT_URL: database }),
      APPS_PATH: 'packages/dev-env/apps',
    }
    const service = await supervise({ root, dir: join(dir, 'logs'), name, kind, env, postgres, queue })
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

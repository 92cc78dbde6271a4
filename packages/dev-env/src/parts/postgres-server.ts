import { join } from 'node:path'
import { askPostgres } from './databases.ts'
import type { Part, PartsOptions } from './part.ts'
import { postgresAccount } from './postgres-account.ts'
import { createPostgresData, dataVersion, endPostgresLeftover, openPostgresFolder, readPassword } from './postgres-data.ts'
import { findPostgres, type PostgresPrograms, SERVER_ENV } from './postgres-programs.ts'
import type { Account } from './programs.ts'
import { type Child, type StartedServer, startChild, startServer } from './start-server.ts'

/** Starts a Postgres server that belongs to this folder. */
export async function openPostgres(options: PartsOptions): Promise<Part> {
  const { dir, throwAway, say } = options
  const account = await postgresAccount()
  const folder = await openPostgresFolder(dir, account)
  if (await endPostgresLeftover(folder)) say('ended the Postgres that an earlier start left running')
  const version = await dataVersion(folder)
  const programs = await findPostgres(options, account, version)
  if (version === undefined) {
    say(`creating a database folder with Postgres ${programs.version}`)
    await createPostgresData(folder, programs, account, !throwAway)
  }
  const { child, url, port } = await startPostgres({ folder, programs, account, throwAway, log: join(dir, 'postgres.log') })
  const from = `Postgres ${programs.version} ${programs.from}, port ${port}`
  say(from)
  return { url, from, stop: () => child.stop('SIGINT', 10_000) }
}

export type PostgresStart = {
  readonly folder: string
  readonly programs: PostgresPrograms
  readonly account: Account | undefined
  readonly log: string
  readonly throwAway: boolean
  /** A free port is chosen if this is left out. */
  readonly port?: number
  /** Each is `name=value`, and overrides the settings made here. */
  readonly settings?: readonly string[]
  /** Variables for the server, which inherits none. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the server on the data in `folder` and waits until it accepts connections. */
export async function startPostgres(start: PostgresStart): Promise<StartedServer> {
  const password = await readPassword(start.folder)
  return await startServer({
    name: 'Postgres',
    log: start.log,
    port: start.port,
    stopSignal: 'SIGINT',
    spawn: (port) => spawnPostgres(start, port),
    url: (port) => `postgres://onward:${password}@127.0.0.1:${port}/postgres`,
    ask: (url) => askPostgres(url, 'select 1'),
  })
}

function spawnPostgres({ folder, programs, account, log, throwAway, settings = [], env }: PostgresStart, port: number): Promise<Child> {
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(throwAway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_wal_size=256MB'] : []),
    ...settings,
  ]
  const args = ['-D', join(folder, 'data'), '-p', String(port), ...all.flatMap((setting) => ['-c', setting])]
  return startChild(join(programs.folder, 'postgres'), args, { cwd: '/', env: { ...SERVER_ENV, ...env }, log, account })
}

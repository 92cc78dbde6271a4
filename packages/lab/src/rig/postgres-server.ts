import { execFile } from 'node:child_process'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Child,
  createPostgresData,
  databaseUrl,
  ensureDatabase,
  findPostgres,
  openPostgresFolder,
  type PartsOptions,
  type PostgresStart,
  postgresAccount,
  startPostgres,
  waitUntil,
} from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import pg from 'pg'
import { childrenOf, statOf } from './cpu.ts'

/** A Postgres server that a run can kill. It keeps its port and its data. */
export type PostgresServer = {
  readonly url: string
  readonly port: number
  pid(): number
  readonly from: string
  /** Contains the data and the password. */
  readonly folder: string
  /** Sends SIGKILL to the postmaster and all its children, so that no checkpoint is written. */
  crash(): Promise<void>
  /** Starts the server again; it recovers from its log. `env` is added to its environment until the next start. */
  start(env?: Readonly<Record<string, string>>): Promise<void>
  /** Starts the server if it has exited, and returns its name if so. */
  revive(): Promise<string[]>
  stop(): Promise<void>
  /** Starts another server with the same program and settings. */
  launch(other: Pick<PostgresStart, 'folder' | 'log' | 'port'>): ReturnType<typeof startPostgres>
  /** Runs a program of Postgres, such as pg_basebackup. */
  runProgram(name: string, args: readonly string[]): Promise<void>
}

const run = promisify(execFile)

const SETTINGS = ['synchronous_commit=on', 'max_connections=400', 'checkpoint_timeout=60s', 'max_wal_size=512MB']
const DATABASES = ['onward_functions', 'onward_insights', 'onward_queue'] as const

/**
 * Without `fsync`, the server does not wait for its disk. A commit still survives SIGKILL of the server: only a crash of the machine would
 * lose it.
 */
export async function openPostgresServer(options: PartsOptions, fsync = false): Promise<PostgresServer> {
  const account = await postgresAccount()
  const folder = await openPostgresFolder(options.dir, account)
  const programs = await findPostgres(options, account, undefined)
  await createPostgresData(folder, programs, account, false)
  const port = await fixedPort()
  const log = join(options.dir, 'postgres.log')
  const settings = [...SETTINGS, `fsync=${fsync ? 'on' : 'off'}`]
  const launch = (other: Partial<PostgresStart> = {}) =>
    startPostgres({ folder, programs, account, log, throwAway: false, port, settings, ...other })
  const first = await launch()
  let child: Child = first.child
  return {
    url: first.url,
    port,
    pid: () => child.pid,
    folder,
    from: `Postgres ${programs.version} ${programs.from}`,
    async crash() {
      const all = [child.pid, ...(await childrenOf(child.pid))]
      for (const pid of all) send(pid)
      const dead = async () => !(await Promise.all(all.map(isAlive))).includes(true)
      if (!(await waitUntil(dead, 20_000))) throw new Error('Postgres did not exit within 20 s of SIGKILL')
    },
    async start(env) {
      child = (await launch({ env })).child
    },
    async revive() {
      if (!child.ended()) return []
      child = (await launch()).child
      return ['Postgres']
    },
    stop: () => child.stop('SIGINT', 20_000),
    launch,
    async runProgram(name, args) {
      // The folder can hold links to some of the programs only.
      const folder = dirname(await realpath(join(programs.folder, 'postgres')))
      await run(join(folder, name), args, { cwd: '/', uid: account?.uid, gid: account?.gid })
    },
  }
}

/** Creates the databases, owned by an ordinary role, because a superuser has no connection limit. Returns their URLs. */
export async function createDatabases(serverUrl: string): Promise<[functions: string, insights: string, queue: string]> {
  const url = new URL(serverUrl)
  await queryPostgres(serverUrl, `create role service login password '${url.password}'`)
  // Operators do this behind PgBouncer, which does not pass on the settings of our pools.
  await queryPostgres(serverUrl, `alter role service set statement_timeout = '5s'`)
  await queryPostgres(serverUrl, `alter role service set idle_in_transaction_session_timeout = '10s'`)
  for (const name of DATABASES) {
    await ensureDatabase(serverUrl, name)
    await queryPostgres(serverUrl, `alter database ${name} owner to service`)
  }
  url.username = 'service'
  const urlOf = (name: (typeof DATABASES)[number]) => databaseUrl(url.href, name)
  return [urlOf('onward_functions'), urlOf('onward_insights'), urlOf('onward_queue')]
}

/** Runs one statement over a separate connection, for at most two minutes unless another time is given. */
export async function queryPostgres<Row = Record<string, unknown>>(
  url: string,
  text: string,
  values: unknown[] = [],
  timeoutMs = 120_000,
): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    statement_timeout: timeoutMs,
    query_timeout: timeoutMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text, values)).rows as Row[]
  } finally {
    await client.end().catch(() => {})
  }
}

/** Counts rows: `source` is a table, with a condition if any. */
export async function countRows(url: string, source: string): Promise<number> {
  const [row] = await queryPostgres<{ n: number }>(url, `select count(*)::int as n from ${source}`)
  return row?.n ?? 0
}

/** A child of the postmaster stays a zombie on machines where process 1 does not reap orphans. */
async function isAlive(pid: number): Promise<boolean> {
  return send(pid, 0) && (await statOf(pid))[0] !== 'Z'
}

function send(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

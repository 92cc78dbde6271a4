import { join } from 'node:path'
import {
  type Child,
  findPostgres,
  makeData,
  openPlace,
  type PartsOptions,
  postgresAccount,
  startPostgres,
  waitUntil,
} from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import { childrenOf, isZombie } from './children-of.ts'

/** A Postgres of our own that can be killed: its port and its data stay. */
export type PostgresServer = {
  readonly url: string
  readonly port: number
  readonly from: string
  /** SIGKILL to the postmaster and to all its children: no checkpoint, no last words. */
  crash(): Promise<void>
  /** Starts it again; it recovers from its log. */
  start(): Promise<void>
  /** Starts it when it has ended by itself; gives its name then. */
  revive(): Promise<string[]>
  stop(): Promise<void>
}

// Not synced: the machine stays up. Every commit is written before it is told, so that SIGKILL loses none.
const SETTINGS = ['fsync=off', 'synchronous_commit=on', 'max_connections=400', 'checkpoint_timeout=60s', 'max_wal_size=512MB']

export async function openPostgresServer(options: PartsOptions): Promise<PostgresServer> {
  const account = await postgresAccount()
  const place = await openPlace(options.dir, account)
  const programs = await findPostgres(options, account, undefined)
  await makeData(place, programs, account, false)
  const port = await fixedPort()
  const log = join(options.dir, 'postgres.log')
  const launch = () => startPostgres({ place, programs, account, log, throwAway: false, port, settings: SETTINGS })
  const first = await launch()
  let child: Child = first.child
  return {
    url: first.url,
    port,
    from: `Postgres ${programs.version} ${programs.from}`,
    async crash() {
      const all = [child.pid, ...(await childrenOf(child.pid))]
      for (const pid of all) send(pid)
      const dead = async () => !(await Promise.all(all.map(isAlive))).includes(true)
      if (!(await waitUntil(dead, 20_000))) throw new Error('Postgres does not die')
    },
    async start() {
      child = (await launch()).child
    },
    async revive() {
      if (!child.ended()) return []
      child = (await launch()).child
      return ['Postgres']
    },
    stop: () => child.stop('SIGINT', 20_000),
  }
}

/** A child of the postmaster stays as a zombie where process 1 does not see to orphans. */
async function isAlive(pid: number): Promise<boolean> {
  return send(pid, 0) && !(await isZombie(pid))
}

function send(pid: number, signal: NodeJS.Signals | 0 = 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findProgram, freePort, postgresAccount, startChild, waitUntil } from '@onward/dev-env'
import { askPostgres } from '../ask-postgres.ts'
import type { PostgresServer } from './postgres-server.ts'

/** PgBouncer in transaction mode: a connection of the server is lent for one transaction only. */
export type PgBouncer = {
  readonly port: number
  /** SIGKILL, and a new start. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export function findPgBouncer({ PATH }: NodeJS.ProcessEnv): string | undefined {
  return findProgram({ PATH: `${PATH}:/usr/sbin` }, 'pgbouncer')
}

/** In front of all databases of this server. `file` is the program, `dir` its folder. */
export async function openPgBouncer(file: string, dir: string, postgres: PostgresServer): Promise<PgBouncer> {
  const account = await postgresAccount()
  const port = await freePort()
  const { username, password } = new URL(postgres.url)
  await mkdir(dir)
  await writeFile(join(dir, 'users.txt'), `"${username}" "${password}"\n"service" "${password}"\n`)
  await writeFile(join(dir, 'pgbouncer.ini'), settings(dir, port, postgres.port))
  if (account) for (const name of ['', 'users.txt', 'pgbouncer.ini']) await chown(join(dir, name), account.uid, account.gid)
  const url = new URL(postgres.url)
  url.port = String(port)

  async function launch(): Promise<Child> {
    const child = await startChild(file, [join(dir, 'pgbouncer.ini')], {
      cwd: '/',
      env: { LC_ALL: 'C' },
      log: `${dir}.log`,
      ...(account && { account }),
    })
    const up = () =>
      askPostgres(url.href, 'select 1').then(
        () => true,
        () => child.ended(),
      )
    if (!(await waitUntil(up, 20_000)) || child.ended()) throw new Error(`PgBouncer did not start: see ${dir}.log`)
    return child
  }
  let child = await launch()
  return {
    port,
    async restart() {
      await child.stop('SIGKILL', 5_000)
      child = await launch()
    },
    stop: () => child.stop('SIGINT', 5_000),
  }
}

/** `statement_timeout` is set by our pools when they connect, and can't hold for a connection that is shared. */
function settings(dir: string, port: number, postgresPort: number): string {
  return `[databases]
* = host=127.0.0.1 port=${postgresPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 1000
ignore_startup_parameters = statement_timeout,extra_float_digits
`
}

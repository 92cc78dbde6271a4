import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, findProgram, postgresAccount, startChild, waitUntil } from '@onward/dev-env'
import { fixedPort } from '@onward/testbed'
import { type PostgresServer, queryPostgres } from './postgres-server.ts'

/** PgBouncer in transaction mode: it lends a server connection for one transaction only. */
export type PgBouncer = {
  readonly port: number
  /** Sends SIGKILL and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts PgBouncer in front of all databases of a server. Throws where it is not installed. */
export async function openPgBouncer({ PATH }: NodeJS.ProcessEnv, dir: string, postgres: PostgresServer): Promise<PgBouncer> {
  const program = findProgram({ PATH: `${PATH}:/usr/sbin` }, 'pgbouncer')
  if (program === undefined) throw new Error('--on pgbouncer: pgbouncer is not installed')
  const account = await postgresAccount()
  const port = await fixedPort()
  const { username, password } = new URL(postgres.url)
  await mkdir(dir)
  await writeFile(join(dir, 'users.txt'), `"${username}" "${password}"\n"service" "${password}"\n`)
  await writeFile(join(dir, 'pgbouncer.ini'), settings(dir, port, postgres.port))
  if (account) for (const name of ['', 'users.txt', 'pgbouncer.ini']) await chown(join(dir, name), account.uid, account.gid)
  const url = new URL(postgres.url)
  url.port = String(port)

  async function launch(file: string): Promise<Child> {
    const log = `${dir}.log`
    const child = await startChild(file, [join(dir, 'pgbouncer.ini')], { cwd: '/', env: { LC_ALL: 'C' }, log, ...(account && { account }) })
    const up = () =>
      queryPostgres(url.href, 'select 1').then(
        () => true,
        () => child.ended(),
      )
    if (!(await waitUntil(up, 20_000)) || child.ended()) throw new Error(`PgBouncer did not start: see ${log}`)
    return child
  }
  let child = await launch(program)
  return {
    port,
    async restart() {
      await child.stop('SIGKILL', 5_000)
      child = await launch(program)
    },
    stop: () => child.stop('SIGINT', 5_000),
  }
}

/** Our pools set time limits when they connect; these cannot apply to a shared connection. */
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
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,extra_float_digits
`
}

import { copyFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { waitUntil } from '@onward/dev-env'
import { type PostgresServer, queryPostgres } from './postgres-server.ts'

/** A standby with asynchronous replication. */
export type Standby = {
  /** Ends the replication. The standby has everything that was committed before the call. */
  cut(): Promise<void>
  /** Kills the server and promotes the standby in its place, on the same port and folder. */
  takeOver(): Promise<void>
}

const WAIT_MS = 30_000

/** Copies a running server, and starts a standby that follows it. */
export async function openStandby(server: PostgresServer): Promise<Standby> {
  const folder = join(server.folder, 'standby')
  const data = join(folder, 'data')
  await rm(folder, { recursive: true, force: true })
  await server.runProgram('pg_basebackup', [
    `--dbname=${server.url}`,
    `--pgdata=${data}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ])
  await copyFile(join(server.folder, 'password'), join(folder, 'password'))
  const { child, url } = await server.launch({ folder, log: join(server.folder, 'standby.log'), port: undefined })
  const answers = async (query: string) => (await queryPostgres<{ yes: boolean }>(url, `select (${query}) as yes`))[0]?.yes === true
  const until = async (what: string, query: string) => {
    if (!(await waitUntil(() => answers(query), WAIT_MS))) throw new Error(`the standby: ${what} took more than ${WAIT_MS / 1_000} s`)
  }
  return {
    async cut() {
      const [{ lsn } = { lsn: '' }] = await queryPostgres<{ lsn: string }>(server.url, 'select pg_current_wal_lsn()::text as lsn')
      await until('replication', `pg_last_wal_replay_lsn() >= '${lsn}'`)
      await queryPostgres(url, `alter system set primary_conninfo = ''`)
      await queryPostgres(url, 'select pg_reload_conf()')
      await until('the end of the replication', 'not exists (select from pg_stat_wal_receiver)')
    },
    async takeOver() {
      await server.crash()
      await child.stop('SIGINT', WAIT_MS)
      await rm(join(server.folder, 'data'), { recursive: true })
      await rename(data, join(server.folder, 'data'))
      await server.start()
      await queryPostgres(server.url, 'select pg_promote()')
    },
  }
}

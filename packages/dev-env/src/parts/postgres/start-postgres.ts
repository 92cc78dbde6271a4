import { join } from 'node:path'
import { freePort } from '../processes/free-port.ts'
import { logTail } from '../processes/last-lines.ts'
import type { Account } from '../processes/run-program.ts'
import { type Child, startChild } from '../processes/start-child.ts'
import { waitUntil } from '../processes/wait-until.ts'
import { askPostgres } from './ask-postgres.ts'
import { readPassword } from './data-folder.ts'
import type { PostgresPrograms } from './find-postgres.ts'
import { serverEnv } from './server-env.ts'

export type PostgresStart = {
  readonly place: string
  readonly programs: PostgresPrograms
  readonly account: Account | undefined
  readonly log: string
  readonly throwAway: boolean
  /** One that is free, unless it is given. */
  readonly port?: number
  /** `name=value`; wins over the settings made here. */
  readonly settings?: readonly string[]
}

/** Starts the server on this place's data and waits until it answers. A long recovery after a crash has a minute. */
export async function startPostgres(start: PostgresStart): Promise<{ child: Child; url: string; port: number }> {
  const password = await readPassword(start.place)
  for (let attempt = 1; ; attempt++) {
    const port = start.port ?? (await freePort())
    const url = `postgres://onward:${password}@127.0.0.1:${port}/postgres`
    const child = await spawnPostgres(start, port)
    const decided = await waitUntil(async () => child.ended() || (await answers(url)), 60_000, 40)
    if (decided && !child.ended()) return { child, url, port }
    await child.stop('SIGINT', 5_000)
    const tail = await logTail(start.log)
    if (attempt === 3 || !tail.includes('Address already in use')) throw new Error(`Postgres did not start. ${tail}`)
  }
}

function spawnPostgres({ place, programs, account, log, throwAway, settings = [] }: PostgresStart, port: number): Promise<Child> {
  const data = join(place, 'data')
  const all = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    ...(throwAway ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
    ...settings,
  ]
  const args = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])]
  return startChild(join(programs.folder, 'postgres'), args, { cwd: '/', env: serverEnv, log, account })
}

function answers(url: string): Promise<boolean> {
  return askPostgres(url, 'select 1').then(
    () => true,
    () => false,
  )
}

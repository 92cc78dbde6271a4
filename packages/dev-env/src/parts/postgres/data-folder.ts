import { randomBytes } from 'node:crypto'
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endLeftover } from '../processes/end-leftover.ts'
import { type Account, runProgram } from '../processes/run-program.ts'
import type { PostgresPrograms } from './find-postgres.ts'
import { serverEnv } from './server-env.ts'

/** The major version that made the data in this place; undefined where there is none yet. */
export async function madeBy(place: string): Promise<number | undefined> {
  const version = await readFile(join(place, 'data', 'PG_VERSION'), 'utf8').catch(() => '')
  return Number.parseInt(version, 10) || undefined
}

/** SIGINT makes Postgres end at once, with its data in order; see "Shutting Down the Server" in its manual. */
export function endPostgresLeftover(place: string): Promise<boolean> {
  const data = join(place, 'data')
  return endLeftover(join(data, 'postmaster.pid'), data, 'SIGINT')
}

export function readPassword(place: string): Promise<string> {
  return readFile(join(place, 'password'), 'utf8')
}

/** Makes the data folder beside its final name, so that a start killed half way leaves none rather than half of one. */
export async function makeData(place: string, programs: PostgresPrograms, account: Account | undefined, synced: boolean): Promise<void> {
  const [fresh, password] = [join(place, 'data.new'), join(place, 'password')]
  await rm(fresh, { recursive: true, force: true })
  await writeFile(password, randomBytes(18).toString('hex'), { mode: 0o600 })
  if (account) await chown(password, account.uid, account.gid)
  const access = ['--username=onward', `--pwfile=${password}`, '--auth=scram-sha-256']
  const args = [`--pgdata=${fresh}`, ...access, '--encoding=UTF8', '--locale=C', ...(synced ? [] : ['--no-sync'])]
  await runProgram(join(programs.folder, 'initdb'), args, { account, env: serverEnv, timeoutMs: 60_000 })
  await rename(fresh, join(place, 'data'))
}

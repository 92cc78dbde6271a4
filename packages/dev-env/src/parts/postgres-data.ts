import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readFile, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { endLeftover } from './end-leftover.ts'
import { canEnter, SHARED_FOLDERS, sharedFolder } from './postgres-account.ts'
import { type PostgresPrograms, SERVER_ENV } from './postgres-programs.ts'
import { type Account, runProgram } from './programs.ts'

/**
 * Returns the folder of Postgres, and creates it if necessary. It belongs to Postgres' account. It is <dir>/postgres or, if the account
 * cannot enter dir, a folder elsewhere to which <dir>/postgres is a link.
 */
export async function openPostgresFolder(dir: string, account: Account | undefined): Promise<string> {
  const folder = join(dir, 'postgres')
  const existing = await existingFolder(dir)
  if (existing) return requireUsable(existing, account)
  await rm(folder, { force: true })
  if (!account || (await canEnter(account, dir))) {
    await createFolder(folder, account)
    return folder
  }
  const outside = join(await sharedFolder(account), await nameOf(dir))
  await removeFolder(outside)
  await createFolder(outside, account)
  await symlink(outside, folder)
  return outside
}

export async function removePostgresFolder(dir: string): Promise<void> {
  const existing = await existingFolder(dir)
  if (existing) await removeFolder(existing)
  await rm(join(dir, 'postgres'), { force: true })
}

/** Returns undefined also for a link that was copied together with the checkout, because it points to the data of the original checkout. */
async function existingFolder(dir: string): Promise<string | undefined> {
  const folder = join(dir, 'postgres')
  const found = await lstat(folder).catch(() => undefined)
  if (found?.isDirectory()) return folder
  if (!found?.isSymbolicLink()) return undefined
  const target = await readlink(folder)
  if (!SHARED_FOLDERS.includes(dirname(target)) || basename(target) !== (await nameOf(dir))) return undefined
  return (await lstat(target).catch(() => undefined)) && target
}

async function requireUsable(folder: string, account: Account | undefined): Promise<string> {
  const { uid } = await lstat(folder)
  if (!account && uid !== process.getuid?.()) {
    throw new Error(`the data in ${folder} belongs to another user (id ${uid}): start Onward as that user, or remove the folder`)
  }
  if (account && uid !== account.uid) {
    throw new Error(
      `the data in ${folder} does not belong to ${account.name}, the account under which Postgres runs now: start Onward as before, or run npm start -- --fresh`,
    )
  }
  if (await canEnter(account, folder)) return folder
  throw new Error(
    `the account ${account?.name}, under which Postgres runs, cannot enter ${folder}: allow it to enter the folders above, or run npm start -- --fresh`,
  )
}

async function createFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (account) await chown(folder, account.uid, account.gid)
}

async function removeFolder(folder: string): Promise<void> {
  await endPostgresLeftover(folder)
  await rm(folder, { recursive: true, force: true })
}

/** Returns a name that is different for each checkout. */
async function nameOf(dir: string): Promise<string> {
  return createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 16)
}

/** Returns the major version of Postgres that created the data, or undefined if there is no data yet. */
export async function dataVersion(folder: string): Promise<number | undefined> {
  const version = await readFile(join(folder, 'data', 'PG_VERSION'), 'utf8').catch(() => '')
  return Number.parseInt(version, 10) || undefined
}

/** SIGINT is Postgres' fast shutdown, which leaves the data consistent; see "Shutting Down the Server" in its manual. */
export function endPostgresLeftover(folder: string): Promise<boolean> {
  const data = join(folder, 'data')
  return endLeftover(join(data, 'postmaster.pid'), data, 'SIGINT')
}

export function readPassword(folder: string): Promise<string> {
  return readFile(join(folder, 'password'), 'utf8')
}

/** Creates the data under another name and renames it at the end, so that a start that is killed halfway leaves no incomplete data. */
export async function createPostgresData(
  folder: string,
  programs: PostgresPrograms,
  account: Account | undefined,
  synced: boolean,
): Promise<void> {
  const [fresh, password] = [join(folder, 'data.new'), join(folder, 'password')]
  await rm(fresh, { recursive: true, force: true })
  await writeFile(password, randomBytes(18).toString('hex'), { mode: 0o600 })
  if (account) await chown(password, account.uid, account.gid)
  const access = ['--username=onward', `--pwfile=${password}`, '--auth=scram-sha-256']
  const args = [`--pgdata=${fresh}`, ...access, '--encoding=UTF8', '--locale=C', ...(synced ? [] : ['--no-sync'])]
  await runProgram(join(programs.folder, 'initdb'), args, { account, env: SERVER_ENV, timeoutMs: 60_000 })
  await rename(fresh, join(folder, 'data'))
}

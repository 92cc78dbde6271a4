import { createHash, randomBytes } from 'node:crypto'
import { chown, lstat, mkdir, readFile, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { endLeftover } from './end-leftover.ts'
import { canEnter, SHARED_FOLDERS, sharedFolder } from './postgres-account.ts'
import { type PostgresPrograms, SERVER_ENV } from './postgres-programs.ts'
import { type Account, runProgram } from './programs.ts'

/**
 * The folder that belongs to Postgres' account, created if necessary. It is <dir>/postgres. If the account cannot enter dir, it is a
 * folder elsewhere, and <dir>/postgres is a link to it.
 */
export async function openPlace(dir: string, account: Account | undefined): Promise<string> {
  const place = join(dir, 'postgres')
  const existing = await existingPlace(dir)
  if (existing) return checked(existing, account)
  await rm(place, { force: true })
  if (!account || (await canEnter(account, dir))) {
    await makePlace(place, account)
    return place
  }
  const outside = join(await sharedFolder(account), await nameOf(dir))
  await removeFolder(outside)
  await makePlace(outside, account)
  await symlink(outside, place)
  return outside
}

export async function removePlace(dir: string): Promise<void> {
  const existing = await existingPlace(dir)
  if (existing) await removeFolder(existing)
  await rm(join(dir, 'postgres'), { force: true })
}

/** Undefined also for a link that was copied together with the checkout: it leads to the data of the original. */
async function existingPlace(dir: string): Promise<string | undefined> {
  const place = join(dir, 'postgres')
  const found = await lstat(place).catch(() => undefined)
  if (found?.isDirectory()) return place
  if (!found?.isSymbolicLink()) return undefined
  const target = await readlink(place)
  if (!SHARED_FOLDERS.includes(dirname(target)) || basename(target) !== (await nameOf(dir))) return undefined
  return (await lstat(target).catch(() => undefined)) && target
}

async function checked(place: string, account: Account | undefined): Promise<string> {
  const { uid } = await lstat(place)
  if (!account && uid !== process.getuid?.()) {
    throw new Error(`the data in ${place} belongs to another user (id ${uid}): start Onward as that user, or remove the folder`)
  }
  if (account && uid !== account.uid) {
    throw new Error(
      `the data in ${place} does not belong to ${account.name}, the account under which Postgres runs now: start Onward as before, or run npm start -- --fresh`,
    )
  }
  if (await canEnter(account, place)) return place
  throw new Error(
    `the account ${account?.name}, under which Postgres runs, cannot enter ${place}: allow it to enter the folders above, or run npm start -- --fresh`,
  )
}

async function makePlace(place: string, account: Account | undefined): Promise<void> {
  await mkdir(place, { mode: 0o700 })
  if (account) await chown(place, account.uid, account.gid)
}

async function removeFolder(place: string): Promise<void> {
  await endPostgresLeftover(place)
  await rm(place, { recursive: true, force: true })
}

async function nameOf(dir: string): Promise<string> {
  return createHash('sha256')
    .update(await realpath(dir))
    .digest('hex')
    .slice(0, 16)
}

/** The major version of Postgres that created the data; undefined if there is no data yet. */
export async function dataVersion(place: string): Promise<number | undefined> {
  const version = await readFile(join(place, 'data', 'PG_VERSION'), 'utf8').catch(() => '')
  return Number.parseInt(version, 10) || undefined
}

/** SIGINT is Postgres' fast shutdown, which leaves the data consistent; see "Shutting Down the Server" in its manual. */
export function endPostgresLeftover(place: string): Promise<boolean> {
  const data = join(place, 'data')
  return endLeftover(join(data, 'postmaster.pid'), data, 'SIGINT')
}

export function readPassword(place: string): Promise<string> {
  return readFile(join(place, 'password'), 'utf8')
}

/** Creates the data under another name and renames it at the end, so that a start that is killed halfway leaves no incomplete data. */
export async function makeData(place: string, programs: PostgresPrograms, account: Account | undefined, synced: boolean): Promise<void> {
  const [fresh, password] = [join(place, 'data.new'), join(place, 'password')]
  await rm(fresh, { recursive: true, force: true })
  await writeFile(password, randomBytes(18).toString('hex'), { mode: 0o600 })
  if (account) await chown(password, account.uid, account.gid)
  const access = ['--username=onward', `--pwfile=${password}`, '--auth=scram-sha-256']
  const args = [`--pgdata=${fresh}`, ...access, '--encoding=UTF8', '--locale=C', ...(synced ? [] : ['--no-sync'])]
  await runProgram(join(programs.folder, 'initdb'), args, { account, env: SERVER_ENV, timeoutMs: 60_000 })
  await rename(fresh, join(place, 'data'))
}

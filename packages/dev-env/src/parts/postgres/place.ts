import { createHash } from 'node:crypto'
import { chown, lstat, mkdir, readlink, realpath, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Account } from '../processes/run-program.ts'
import { canEnter } from './account.ts'
import { endPostgresLeftover } from './data-folder.ts'
import { outsideFolder, outsideRoots } from './outside.ts'

/**
 * The folder that belongs to Postgres' account: <dir>/postgres, or, where the account can't enter dir, a folder
 * elsewhere to which <dir>/postgres is a link.
 */
export async function openPlace(dir: string, account: Account | undefined): Promise<string> {
  const place = join(dir, 'postgres')
  const kept = await keptPlace(dir)
  if (kept) return checked(kept, account)
  await rm(place, { force: true })
  if (!account || (await canEnter(account, dir))) {
    await makePlace(place, account)
    return place
  }
  const outside = join(await outsideFolder(account), await nameOf(dir))
  await removeFolder(outside)
  await makePlace(outside, account)
  await symlink(outside, place)
  return outside
}

export async function removePlace(dir: string): Promise<void> {
  const kept = await keptPlace(dir)
  if (kept) await removeFolder(kept)
  await rm(join(dir, 'postgres'), { force: true })
}

/** Undefined where there is none, and for a link that came along when the checkout was copied: it leads to the data of the other one. */
async function keptPlace(dir: string): Promise<string | undefined> {
  const place = join(dir, 'postgres')
  const found = await lstat(place).catch(() => undefined)
  if (found?.isDirectory()) return place
  if (!found?.isSymbolicLink()) return undefined
  const target = await readlink(place)
  if (!outsideRoots.includes(dirname(target)) || basename(target) !== (await nameOf(dir))) return undefined
  return (await lstat(target).catch(() => undefined)) && target
}

async function checked(place: string, account: Account | undefined): Promise<string> {
  const { uid } = await lstat(place)
  if (!account && uid !== process.getuid?.()) {
    throw new Error(`the data in ${place} belongs to another account (number ${uid}): start Onward as that account, or remove the folder`)
  }
  if (account && uid !== account.uid) {
    throw new Error(
      `the data in ${place} does not belong to ${account.name}, which Postgres runs as here: start Onward as before, or with npm start -- --fresh`,
    )
  }
  if (await canEnter(account, place)) return place
  throw new Error(
    `the account ${account?.name}, which Postgres runs as, can't enter ${place}: open the folders above it, or run npm start -- --fresh`,
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

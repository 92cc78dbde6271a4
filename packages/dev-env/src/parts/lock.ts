import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
// biome-ignore lint/correctness/useImportExtensions: the declarations are in .d.cts, the program is in .cjs
import { livingHolder, runningIn, startTime } from '../../running.cjs'
import { reasonOf } from './part.ts'

/**
 * Locks a folder for this process, and returns the function that unlocks it. Throws if a living process holds the lock. The lock of a
 * killed process is replaced at once. `link` creates the lock file and `rename` removes a stale one, so that only one of several
 * simultaneous starts gets the lock.
 */
export async function takeLock(dir: string): Promise<() => Promise<void>> {
  const lock = join(dir, 'lock')
  const mine = `${lock}.${process.pid}`
  await writeMine(dir, mine)
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await created(mine, lock)) return () => rm(lock, { force: true })
      await removeStale(dir, lock, `${mine}.stale`)
    }
  } finally {
    await rm(mine, { force: true })
  }
  throw new Error(`${lock} cannot be taken, because other starts compete for it; try again`)
}

async function writeMine(dir: string, mine: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true })
    await writeFile(mine, `${process.pid} ${startTime(process.pid) ?? ''}\n`)
  } catch (err) {
    throw new Error(`${dir} cannot be written (${reasonOf(err)}): start Onward as the user who owns it, or remove the folder`)
  }
}

async function created(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock)
    return true
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw err
  }
}

/** Throws if the holder is alive. */
async function removeStale(dir: string, lock: string, aside: string): Promise<void> {
  const seen = await readFile(lock, 'utf8').catch(() => '')
  if (livingHolder(seen) !== undefined) throw new Error(runningIn(dir) ?? `${lock} was in use a moment ago; try again`)
  await rename(lock, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => seen)
  // Another start may have replaced the stale lock before the rename. Then put its lock back.
  if (moved !== seen) await created(aside, lock)
  await rm(aside, { force: true })
}

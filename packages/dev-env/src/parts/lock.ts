import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reasonOf } from './reason-of.ts'

/**
 * Takes the folder for this process; answers how to give it back. Throws when a living process has it.
 * The lock appears by `link` and goes by `rename`, so that of two starts at the same moment one wins.
 */
export async function takeLock(dir: string): Promise<() => Promise<void>> {
  const lock = join(dir, 'lock')
  const mine = `${lock}.${process.pid}`
  await writeMine(dir, mine)
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await placed(mine, lock)) return () => rm(lock, { force: true })
      await refuseOrClear(dir, lock, `${mine}.stale`)
    }
  } finally {
    await rm(mine, { force: true })
  }
  throw new Error(`${lock} can't be taken: another start takes it at the same time, try again`)
}

async function writeMine(dir: string, mine: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true })
    await writeFile(mine, `${process.pid} ${(await bornAt(process.pid)) ?? ''}\n`)
  } catch (error) {
    throw new Error(`${dir} can't be written (${reasonOf(error)}): start Onward as the account that it belongs to, or remove the folder`)
  }
}

async function placed(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function refuseOrClear(dir: string, lock: string, aside: string): Promise<void> {
  const seen = await readFile(lock, 'utf8').catch(() => '')
  const holder = await livingHolder(seen)
  if (holder) throw new Error(`Onward already runs from this folder (process ${holder}): ${dir}`)
  await rename(lock, aside).catch(() => undefined)
  const moved = await readFile(aside, 'utf8').catch(() => seen)
  // Between the look and the move another start may have put its own, living lock there: it gets it back.
  if (moved !== seen) await placed(aside, lock)
  await rm(aside, { force: true })
}

async function livingHolder(content: string): Promise<number | undefined> {
  const [pid = '', born = ''] = content.trim().split(' ')
  if (!(Number(pid) > 0) || !alive(Number(pid))) return undefined
  const bornNow = await bornAt(Number(pid))
  return born && bornNow && born !== bornNow ? undefined : Number(pid)
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Tells a process from a later one with the same number; undefined where there is no /proc. See proc(5), field 22 of stat. */
async function bornAt(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .at(19)
}

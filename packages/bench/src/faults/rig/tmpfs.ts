import { execFile } from 'node:child_process'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A file system in memory that can be made full. */
export type Tmpfs = {
  /** Leaves no room: what is there stays. */
  fill(): Promise<void>
  /** Gives the room back. */
  empty(): Promise<void>
  close(): Promise<void>
}

const SIZE = 'size=8g'

/** Undefined where nothing may be mounted: it takes root. */
export async function openTmpfs(dir: string): Promise<Tmpfs | undefined> {
  if (process.getuid?.() !== 0) return undefined
  try {
    await run('mount', ['-t', 'tmpfs', '-o', SIZE, 'tmpfs', dir])
  } catch {
    return undefined
  }
  return {
    async fill() {
      // What is used grows meanwhile, and a size below it is refused: then a little more is tried.
      for (let spare = 64; ; spare *= 2) {
        const { blocks, bfree, bsize } = await statfs(dir)
        const size = Math.ceil(((blocks - bfree) * bsize) / 1_024) + spare
        try {
          return void (await run('mount', ['-o', `remount,size=${size}k`, dir]))
        } catch (err) {
          if (spare > 100_000) throw err
        }
      }
    },
    empty: async () => void (await run('mount', ['-o', `remount,${SIZE}`, dir])),
    close: async () => void (await run('umount', ['-l', dir])),
  }
}

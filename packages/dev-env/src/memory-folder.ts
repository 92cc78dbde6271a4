import { createHash } from 'node:crypto'
import { lstat, mkdir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** The databases and the write-ahead log of a test run stay below half of this. */
const MIN_FREE_BYTES = 3 * 2 ** 30

/**
 * Returns a folder in memory for the test data of a checkout, and creates it if necessary. Returns undefined on a system without a memory
 * file system, with little free memory, or where the folder belongs to another user. A suite's database has a thousand files, which take
 * up to twenty times as long to create on a disk.
 */
export async function openMemoryFolder(root: string): Promise<string | undefined> {
  const folder = join(MEMORY, `onward-test-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`)
  try {
    const { bavail, bsize } = await statfs(MEMORY)
    if (bavail * bsize < MIN_FREE_BYTES) return undefined
    await mkdir(folder, { mode: 0o755, recursive: true })
    const found = await lstat(folder)
    return found.isDirectory() && found.uid === process.getuid?.() ? folder : undefined
  } catch {
    return undefined
  }
}

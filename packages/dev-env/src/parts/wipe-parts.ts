import { access } from 'node:fs/promises'
import { takeLock } from './lock.ts'
import { removeData } from './remove-data.ts'

/**
 * Removes the data of earlier starts: not the cache, and never a server that Onward did not start.
 * Throws when a living start uses the folder.
 */
export async function wipeParts(dir: string): Promise<void> {
  const known = await access(dir).then(
    () => true,
    () => false,
  )
  if (!known) return
  const unlock = await takeLock(dir)
  try {
    await removeData(dir)
  } finally {
    await unlock()
  }
}

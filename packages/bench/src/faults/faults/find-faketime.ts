import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Debian's libfaketime, to be preloaded; undefined where it is not installed. */
export function findFaketime(): string | undefined {
  const folders = ['/usr/lib', ...(existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [])]
  return folders.map((folder) => join(folder, 'faketime/libfaketime.so.1')).find((file) => existsSync(file))
}

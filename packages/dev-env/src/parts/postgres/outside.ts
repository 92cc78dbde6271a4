import { chmod, lstat, mkdir } from 'node:fs/promises'
import type { Account } from '../processes/run-program.ts'
import { canEnter } from './account.ts'

export const outsideRoots = ['/var/lib/onward', '/var/tmp/onward']

/** A folder of root's that Postgres' account can enter, for a checkout that it can't enter (below /root, for instance). */
export async function outsideFolder(account: Account): Promise<string> {
  for (const root of outsideRoots) {
    await makeRoot(root).catch(() => undefined)
    const found = await lstat(root).catch(() => undefined)
    // Anybody may have put a folder of this name into /var/tmp: programs of such a folder must not be run.
    if (found?.isDirectory() && found.uid === 0 && (await canEnter(account, root))) return root
  }
  throw new Error(
    `the account ${account.name}, which Postgres runs as, can enter neither this folder nor ${outsideRoots.join(' or ')}: move the checkout`,
  )
}

/** Whatever mask this process has, the account has to get in; a folder that is there already is left as it is. */
async function makeRoot(root: string): Promise<void> {
  await mkdir(root)
  await chmod(root, 0o755)
}

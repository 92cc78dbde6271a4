import { chmod, lstat, mkdir, readFile } from 'node:fs/promises'
import { type Account, runProgram } from './programs.ts'

/**
 * Returns the account for a Postgres server, because Postgres does not run as root: `postgres` if it exists, otherwise `nobody`. Returns
 * undefined if this process does not run as root.
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8')
  const account = accountIn(passwd, 'postgres') ?? accountIn(passwd, 'nobody')
  if (account && (await canEnter(account, '/'))) return account
  throw new Error(
    `Postgres does not run as root, and Onward cannot start it as ${account?.name ?? 'postgres or nobody'}: start Onward as an ordinary user, or set DATABASE_URL to your own Postgres`,
  )
}

/** A line of /etc/passwd is name:password:uid:gid:…; see passwd(5). */
function accountIn(passwd: string, name: string): Account | undefined {
  const fields = passwd.split('\n').map((line) => line.split(':'))
  const found = fields.find((field) => field[0] === name)
  return found && { name, uid: Number(found[2]), gid: Number(found[3]) }
}

/**
 * Returns whether the account may enter a folder or run a program, and enter all folders above it. Runs `test -x` as that account, so that
 * access control lists are respected too.
 */
export async function canEnter(account: Account | undefined, path: string): Promise<boolean> {
  if (!account) return true
  return await runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { account, env: {}, timeoutMs: 5_000 }).then(
    () => true,
    () => false,
  )
}

export const SHARED_FOLDERS = ['/var/lib/onward', '/var/tmp/onward']

/** Returns a folder of root that the account can enter. It is needed if the account cannot enter the checkout, for example below /root. */
export async function sharedFolder(account: Account): Promise<string> {
  for (const folder of SHARED_FOLDERS) {
    await makeShared(folder).catch(() => undefined)
    const found = await lstat(folder).catch(() => undefined)
    // Any user can create a folder with this name in /var/tmp, so programs in a folder that root does not own must not be run.
    if (found?.isDirectory() && found.uid === 0 && (await canEnter(account, folder))) return folder
  }
  throw new Error(
    `the account ${account.name}, under which Postgres runs, can enter neither this folder nor ${SHARED_FOLDERS.join(' or ')}: move the checkout`,
  )
}

/** Throws if the folder exists. `chmod` makes it accessible whatever the umask of this process is. */
async function makeShared(folder: string): Promise<void> {
  await mkdir(folder)
  await chmod(folder, 0o755)
}

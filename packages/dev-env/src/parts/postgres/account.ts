import { readFile } from 'node:fs/promises'
import { type Account, runProgram } from '../processes/run-program.ts'

/** Postgres refuses to run as root: there it runs as `postgres`, else as `nobody`. Undefined where we are not root. */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8')
  const account = accountIn(passwd, 'postgres') ?? accountIn(passwd, 'nobody')
  if (account && (await canEnter(account, '/'))) return account
  throw new Error(
    `Postgres doesn't run as root, and here it can't be started as ${account?.name ?? 'postgres or nobody'}: start Onward as an ordinary user, or set DATABASE_URL to a Postgres of yours`,
  )
}

/** Lines of /etc/passwd read name:password:uid:gid:…; see passwd(5). */
function accountIn(passwd: string, name: string): Account | undefined {
  const fields = passwd.split('\n').map((line) => line.split(':'))
  const found = fields.find((field) => field[0] === name)
  return found && { name, uid: Number(found[2]), gid: Number(found[3]) }
}

/** Whether the account may enter the folder (or run the program) and every folder above it: asked of the system, which knows of access lists too. */
export async function canEnter(account: Account | undefined, path: string): Promise<boolean> {
  if (!account) return true
  const asking = runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { account, env: {}, timeoutMs: 5_000 })
  return asking.then(
    () => true,
    () => false,
  )
}

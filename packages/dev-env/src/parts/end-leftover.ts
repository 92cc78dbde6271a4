import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { waitUntil } from './wait-until.ts'

/**
 * Ends the server that an earlier start left running in this folder when it was killed. Returns whether there was one. The pid in the
 * file may belong to another process by now, so only a process whose working directory is the folder is ended; Postgres and Redis have
 * their data folder as working directory.
 */
export async function endLeftover(pidFile: string, folder: string, signal: NodeJS.Signals): Promise<boolean> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  if (!(pid > 1)) return false
  const home = await realpath(folder)
  const gone = async () => (await workingDirectory(pid)) !== home
  if (await gone()) return false
  send(pid, signal)
  if (await waitUntil(gone, 15_000)) return true
  send(pid, 'SIGKILL')
  if (await waitUntil(gone, 5_000)) return true
  throw new Error(`process ${pid}, left by an earlier start in ${folder}, cannot be ended: end it yourself and start again`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or belongs to another user. The caller notices either case, because it waits for the end of the process.
  }
}

/** Returns undefined if the process does not exist or belongs to another user, or if the machine does not provide the information. */
async function workingDirectory(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  const listing = promisify(execFile)('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { timeout: 5_000 })
  const { stdout } = await listing.catch(() => ({ stdout: '' }))
  return /^n(.+)$/m.exec(stdout)?.[1]
}

import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { waitUntil } from './wait-until.ts'

/**
 * Ends the server that an earlier, killed start left running in this folder. The number in its pid file may belong to
 * somebody else by now: only a process that stands in the folder, as Postgres and Redis do, is ours.
 */
export async function endLeftover(pidFile: string, folder: string, signal: NodeJS.Signals): Promise<boolean> {
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
  if (!(pid > 1)) return false
  const home = await realpath(folder)
  const gone = async () => (await folderOf(pid)) !== home
  if (await gone()) return false
  send(pid, signal)
  if (await waitUntil(gone, 15_000)) return true
  send(pid, 'SIGKILL')
  if (await waitUntil(gone, 5_000)) return true
  throw new Error(`process ${pid}, left by an earlier start in ${folder}, doesn't end: end it by hand and start again`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It went between the look and the signal, or can't be reached: the wait that follows tells.
  }
}

/** Undefined for a process that is gone, that belongs to somebody else, or where the machine doesn't tell. */
async function folderOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return await readlink(`/proc/${pid}/cwd`).catch(() => undefined)
  const listing = promisify(execFile)('lsof', ['-a', '-p', String(pid), '-d', 'cwd', '-Fn'], { timeout: 5_000 })
  const { stdout } = await listing.catch(() => ({ stdout: '' }))
  return /^n(.+)$/m.exec(stdout)?.[1]
}

import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { endLeftover } from '../processes/end-leftover.ts'

/** Redis writes the rest of its append-only file when it gets SIGTERM; see "Redis signal handling" in its manual. */
export function endRedisLeftover(folder: string): Promise<boolean> {
  return endLeftover(join(folder, 'redis.pid'), folder, 'SIGTERM')
}

/** Writes redis.conf, with the password, which must not show in the list of processes. Every path in it is relative to the folder, where the server starts. */
export async function writeConf(
  folder: string,
  port: number,
  password: string,
  throwAway: boolean,
  settings: readonly string[] = [],
): Promise<void> {
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'pidfile redis.pid',
    'dir .',
    // A queue must not lose jobs to make room, and the append-only file alone keeps them: snapshots would be a second copy.
    'maxmemory-policy noeviction',
    'save ""',
    throwAway ? 'appendonly no' : 'appendonly yes\nappendfsync everysec',
    ...settings,
  ]
  await writeFile(join(folder, 'redis.conf'), `${lines.join('\n')}\n`, { mode: 0o600 })
}

/** The folder keeps its password from start to start. */
export async function openFolder(dir: string): Promise<{ folder: string; password: string }> {
  const folder = join(dir, 'redis')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, 'password')
  const kept = await readFile(file, 'utf8').catch(() => '')
  const password = kept || randomBytes(18).toString('hex')
  if (!kept) await writeFile(file, password, { mode: 0o600 })
  return { folder, password }
}

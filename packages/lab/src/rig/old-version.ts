import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Names the last version tag, or the present commit if there is no tag. */
const LATEST = 'latest'

/** Returns a folder with the code of a commit and its packages. A later call for the same commit uses the folder again. */
export async function checkOutOld(root: string, commit: string): Promise<string> {
  const git = async (...args: string[]) => (await run('git', args, { cwd: root })).stdout.trim()
  const tags = commit === LATEST ? await git('tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname') : ''
  const named = commit === LATEST ? tags.split('\n')[0] || 'HEAD' : commit
  const hash = await git('rev-parse', '--verify', '--end-of-options', `${named}^{commit}`)
  const folder = join(root, '.onward/old', hash)
  if (existsSync(folder)) return folder
  const partial = `${folder}.new`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })
  await run('sh', ['-c', 'git archive "$0" | tar -x -C "$1"', hash, partial], { cwd: root })
  await run('npx', ['-y', '--prefer-offline', 'pnpm@10.34.9', 'install', '--frozen-lockfile'], { cwd: partial })
  await rename(partial, folder)
  return folder
}

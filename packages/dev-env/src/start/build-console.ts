import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { removeOldBuilds, takeBuild } from './builds.ts'

/** What the build reads, besides the installed packages. */
const SOURCES = [
  ...['src', 'public', 'index.html', 'embed.html', 'build.mjs', 'sizes.mjs'].map((name) => `packages/console/${name}`),
  ...['access', 'pure', 'task-hours'].map((name) => `packages/contract/src/${name}.ts`),
  'packages/json/src',
  'packages/texts/src',
]

/**
 * Returns the folder of the built console in the checkout `root`. Builds it only if its sources or its packages have changed since an earlier
 * build. Removes old builds that no process uses. Several processes can call this at the same time.
 */
export async function buildConsole(root: string): Promise<string> {
  const builds = join(root, '.onward/console')
  const hash = hashOf(root, [...SOURCES, 'pnpm-lock.yaml'])
  const folder = join(builds, hash)
  await mkdir(builds, { recursive: true })
  if (await takeBuild(builds, hash)) return folder
  const partial = `${folder}.${process.pid}`
  try {
    await promisify(execFile)(process.execPath, [join(root, 'packages/console/build.mjs'), partial])
    await rename(partial, folder)
  } catch (err) {
    await rm(partial, { recursive: true, force: true })
    // Another process may have been faster. Its result is the same.
    if (!existsSync(folder)) throw err
  }
  await removeOldBuilds(builds)
  return folder
}

function hashOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesIn(root, path)).sort()) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}

function filesIn(root: string, path: string): string[] {
  if (statSync(join(root, path)).isFile()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesIn(root, join(path, name)))
}

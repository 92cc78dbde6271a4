import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Builds that stay although no process uses them, so that going back to an earlier commit needs no new build. */
const KEPT = 3

/** `<hash>` is a build, `<hash>.<pid>` a build that a process is making or removing; `<hash>.<pid>.use` marks a build as in use. */
const NAME = /^(?<hash>[\da-f]{16})(?:\.(?<pid>\d+)(?<use>\.use)?)?$/

/** Marks a build as used by this process until it ends. Returns whether the build exists. */
export async function takeBuild(builds: string, hash: string): Promise<boolean> {
  // First the mark, then the look: after it, no process removes the build.
  await writeFile(join(builds, `${hash}.${process.pid}.use`), '')
  const now = new Date()
  return await utimes(join(builds, hash), now, now).then(
    () => true,
    () => false,
  )
}

/** Removes all builds except the newest and builds in use by a running process, and removes what ended processes left. */
export async function removeOldBuilds(builds: string): Promise<void> {
  for (const name of await readdir(builds)) {
    const pid = NAME.exec(name)?.groups?.pid
    if (pid !== undefined && !isRunning(Number(pid))) await remove(join(builds, name))
  }
  const used = await usedBuilds(builds)
  const names = (await readdir(builds)).filter((name) => NAME.test(name) && !name.includes('.') && !used.has(name))
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(builds, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  )
  for (const { name } of aged.sort((a, b) => b.at - a.at).slice(KEPT)) await removeUnused(builds, name)
}

async function removeUnused(builds: string, name: string): Promise<void> {
  const folder = join(builds, name)
  const aside = `${folder}.${process.pid}`
  // Another process may be removing it too.
  const moved = await rename(folder, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  // Another process may have begun to use it after the look at the marks.
  if ((await usedBuilds(builds)).has(name)) await rename(aside, folder).catch(() => remove(aside))
  else await remove(aside)
}

/** Returns the builds that running processes use. */
async function usedBuilds(builds: string): Promise<Set<string>> {
  const marks = (await readdir(builds)).map((name) => NAME.exec(name)?.groups).filter((groups) => groups?.use !== undefined)
  return new Set(marks.filter((groups) => isRunning(Number(groups?.pid))).map((groups) => groups?.hash ?? ''))
}

async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    // The process belongs to another user of the machine.
    return (err as NodeJS.ErrnoException).code === 'EPERM'
  }
}

import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PartsOptions } from '../options.ts'
import { runProgram } from '../processes/run-program.ts'
import { findProgram, isProgram } from '../programs.ts'
import { reasonOf } from '../reason-of.ts'
import { downloadPackages, packagePairs } from './apt-download.ts'
import { type RedisProgram, versionOf } from './program.ts'

/**
 * The server from the packages of Debian and its kin, unpacked into the cache: needs no root and installs nothing.
 * Undefined, said why, where there is no apt or it gives none. Once unpacked, neither apt nor the network is asked again.
 */
export async function aptRedis({ cacheDir, env, say }: PartsOptions): Promise<RedisProgram | undefined> {
  const root = join(cacheDir, 'redis')
  const cached = await unpacked(root, env)
  if (cached) return cached
  if (!findProgram(env, 'apt-get') || !findProgram(env, 'dpkg')) return undefined
  try {
    say('getting Redis by apt (kept for later starts)')
    await unpackInto(root, env)
    return await unpacked(root, env)
  } catch (error) {
    say(`Redis can't be had by apt, perhaps for want of a network: ${reasonOf(error)}`)
    return undefined
  }
}

/** Undefined, too, for a cache of another machine, whose program doesn't run here. */
async function unpacked(root: string, env: NodeJS.ProcessEnv): Promise<RedisProgram | undefined> {
  const files = packagePairs.map(([server]) => join(root, 'usr', 'bin', server))
  const file = files.find(isProgram)
  if (!file) return undefined
  const program = { file, env: { PATH: env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: (await libraryFolders(root)).join(':') } }
  const version = await versionOf(program)
  return version ? { ...program, from: `${version} by apt (unpacked in ${root})` } : undefined
}

/** Libraries stand in a folder per architecture, such as usr/lib/x86_64-linux-gnu. */
async function libraryFolders(root: string): Promise<string[]> {
  const parents = [join(root, 'usr', 'lib'), join(root, 'lib')]
  const listed = await Promise.all(parents.map(async (parent) => (await readdir(parent).catch(() => [])).map((name) => join(parent, name))))
  return [...parents, ...listed.flat()]
}

/** Works in a folder of its own and moves the whole in place, so that two starts or a killed one leave nothing half done. */
async function unpackInto(root: string, env: NodeJS.ProcessEnv): Promise<void> {
  const work = `${root}.${process.pid}`
  try {
    const unpackedTo = join(work, 'root')
    await mkdir(unpackedTo, { recursive: true })
    for (const file of await downloadPackages(work, env)) {
      await runProgram('dpkg', ['-x', file, unpackedTo], { env, timeoutMs: 30_000 })
    }
    await rm(root, { recursive: true, force: true })
    await rename(unpackedTo, root)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

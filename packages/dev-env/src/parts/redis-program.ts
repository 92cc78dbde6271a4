import { dirname, join } from 'node:path'
import { libraryFolders, unpackDebian } from './debian.ts'
import { allows, type PartsOptions, reasonOf } from './part.ts'
import { findProgram, isProgram, runProgram } from './programs.ts'

export type RedisProgram = {
  readonly file: string
  /** Includes the path of the libraries that were unpacked together with the program. */
  readonly env: NodeJS.ProcessEnv
  readonly from: string
}

/** Returns a Redis or Valkey of this machine, otherwise one from Debian's packages, or undefined if there is neither. */
export async function findRedis(options: PartsOptions): Promise<RedisProgram | undefined> {
  const file = allows(options.env, 'system') ? findProgram(options.env, 'valkey-server', 'redis-server') : undefined
  if (file) {
    const program = { file, env: { PATH: dirname(file), LC_ALL: 'C' } }
    const version = await versionOf(program)
    if (version) return { ...program, from: `${version} of this machine (${file})` }
  }
  return allows(options.env, 'apt') ? aptRedis(options) : undefined
}

/** Returns for example "Redis 7.0.15" or "Valkey 8.0.1", or undefined if the program does not run on this machine. */
async function versionOf({ file, env }: Omit<RedisProgram, 'from'>): Promise<string | undefined> {
  const response = await runProgram(file, ['--version'], { env, timeoutMs: 5_000 }).catch(() => '')
  const version = /v=(\d+(\.\d+)*)/.exec(response)?.[1]
  return version && `${/valkey/i.test(response) ? 'Valkey' : 'Redis'} ${version}`
}

/** In Debian's packages, the server program is a link to a program of the tools package. */
const PACKAGE_PAIRS = [
  ['redis-server', 'redis-tools'],
  ['valkey-server', 'valkey-tools'],
] as const

/**
 * Returns a server from the packages of Debian or a derivative, unpacked into the cache. Needs no root and installs nothing. Later starts
 * use the cache, without apt or network. Returns undefined if there is no apt, or if apt fails; in the latter case prints why.
 */
async function aptRedis({ cacheDir, env, say }: PartsOptions): Promise<RedisProgram | undefined> {
  const root = join(cacheDir, 'redis')
  const cached = await unpacked(root, env)
  if (cached) return cached
  if (!findProgram(env, 'apt-get') || !findProgram(env, 'dpkg')) return undefined
  try {
    say('downloading Redis with apt (for this folder only, and for later starts)')
    await unpackDebian(root, PACKAGE_PAIRS, env)
    return await unpacked(root, env)
  } catch (err) {
    say(`Redis cannot be downloaded with apt, perhaps because there is no network: ${reasonOf(err)}`)
    return undefined
  }
}

/** Returns undefined also if the cache comes from another machine and its program does not run here. */
async function unpacked(root: string, env: NodeJS.ProcessEnv): Promise<RedisProgram | undefined> {
  const files = PACKAGE_PAIRS.map(([server]) => join(root, 'usr', 'bin', server))
  const file = files.find(isProgram)
  if (!file) return undefined
  const program = { file, env: { PATH: env.PATH, LC_ALL: 'C', LD_LIBRARY_PATH: (await libraryFolders(root)).join(':') } }
  const version = await versionOf(program)
  return version ? { ...program, from: `${version} from Debian's packages (unpacked in ${root})` } : undefined
}

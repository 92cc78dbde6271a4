import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
    await unpackInto(root, env)
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

/** Libraries are in a folder for each architecture, such as usr/lib/x86_64-linux-gnu. */
async function libraryFolders(root: string): Promise<string[]> {
  const parents = [join(root, 'usr', 'lib'), join(root, 'lib')]
  const listed = await Promise.all(parents.map(async (parent) => (await readdir(parent).catch(() => [])).map((name) => join(parent, name))))
  return [...parents, ...listed.flat()]
}

/** Works in a temporary folder and renames it at the end, so that simultaneous or killed starts leave no incomplete cache. */
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

/** Downloads the packages of a server, and their dependencies that this machine lacks. Returns the paths of the package files. */
async function downloadPackages(work: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const archives = join(work, 'archives')
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(join(work, 'lists', 'partial'), { recursive: true })
  const conf = join(work, 'apt.conf')
  await writeFile(conf, aptConf(work))
  const apt = (...args: string[]) => runProgram('apt-get', ['-c', conf, ...args], { env: { ...env, LC_ALL: 'C' }, timeoutMs: 45_000 })
  // `--reinstall` downloads the server's own packages even if one of them is installed.
  const download = (pair: readonly string[]) => apt('install', '--download-only', '--reinstall', '--no-install-recommends', '-y', ...pair)
  await apt('update')
  const [redis, valkey] = PACKAGE_PAIRS
  await download(redis).catch((err: unknown) => download(valkey).catch(() => Promise.reject(err)))
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
}

/** Uses separate lists and archives, no lock and no other user, so that apt works without root and does not change the machine. */
function aptConf(work: string): string {
  return [
    `Dir::State::lists "${work}/lists";`,
    `Dir::Cache "${work}";`,
    `Dir::Cache::archives "${work}/archives";`,
    'APT::Sandbox::User "";',
    'Debug::NoLocking "true";',
    'Acquire::Languages "none";',
    'Acquire::Retries "1";',
    'Acquire::http::Timeout "10";',
    'Acquire::https::Timeout "10";',
    // Debian's container images have hooks that clear the machine's caches after each update.
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '#clear DPkg::Post-Invoke;',
    '',
  ].join('\n')
}

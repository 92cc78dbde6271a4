import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from './programs.ts'

/** Names of packages that belong together. */
type Packages = readonly string[]

/**
 * Downloads packages of Debian or a derivative with apt and unpacks them into the folder `root`: the first of the `choices` that can be
 * downloaded, with their dependencies that this machine lacks. Needs no root and installs nothing. Works in a temporary folder and renames it
 * at the end, so that simultaneous or killed starts leave no incomplete folder.
 */
export async function unpackDebian(root: string, choices: readonly Packages[], env: NodeJS.ProcessEnv): Promise<void> {
  const work = `${root}.${process.pid}`
  try {
    const unpackedTo = join(work, 'root')
    await mkdir(unpackedTo, { recursive: true })
    for (const file of await downloadPackages(work, choices, env)) {
      await runProgram('dpkg', ['-x', file, unpackedTo], { env, timeoutMs: 30_000 })
    }
    await rm(root, { recursive: true, force: true })
    await rename(unpackedTo, root)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Returns the paths of the package files. */
async function downloadPackages(work: string, choices: readonly Packages[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const archives = join(work, 'archives')
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(join(work, 'lists', 'partial'), { recursive: true })
  const conf = join(work, 'apt.conf')
  await writeFile(conf, aptConf(work))
  const apt = (...args: string[]) => runProgram('apt-get', ['-c', conf, ...args], { env: { ...env, LC_ALL: 'C' }, timeoutMs: 180_000 })
  // `--reinstall` downloads the packages even if they are installed.
  const download = (names: Packages) => apt('install', '--download-only', '--reinstall', '--no-install-recommends', '-y', ...names)
  await apt('update')
  const failures: unknown[] = []
  for (const names of choices) {
    try {
      await download(names)
      return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
    } catch (err) {
      failures.push(err)
    }
  }
  throw failures[0]
}

/** Returns the folders with unpacked libraries. There is one for each architecture, such as usr/lib/x86_64-linux-gnu. */
export async function libraryFolders(root: string): Promise<string[]> {
  const parents = [join(root, 'usr', 'lib'), join(root, 'lib')]
  const listed = await Promise.all(parents.map(async (parent) => (await readdir(parent).catch(() => [])).map((name) => join(parent, name))))
  return [...parents, ...listed.flat()]
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

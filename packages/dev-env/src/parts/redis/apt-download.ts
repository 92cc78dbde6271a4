import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../processes/run-program.ts'

/** In Debian's packages the server's name is a link to a program of its tools. */
export const packagePairs = [
  ['redis-server', 'redis-tools'],
  ['valkey-server', 'valkey-tools'],
] as const

/** Downloads the packages of a server, and what they depend on that this machine lacks, below `work`. Answers the files. */
export async function downloadPackages(work: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const archives = join(work, 'archives')
  await mkdir(join(archives, 'partial'), { recursive: true })
  await mkdir(join(work, 'lists', 'partial'), { recursive: true })
  const conf = join(work, 'apt.conf')
  await writeFile(conf, privateConf(work))
  const apt = (...args: string[]) => runProgram('apt-get', ['-c', conf, ...args], { env: { ...env, LC_ALL: 'C' }, timeoutMs: 45_000 })
  await apt('update')
  await firstThatWorks(packagePairs.map((pair) => () => apt(...downloadOnly, ...pair)))
  return (await readdir(archives)).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
}

/** `--reinstall` brings the server's own packages along even where a machine has one of them. */
const downloadOnly = ['install', '--download-only', '--reinstall', '--no-install-recommends', '-y']

/** Lists and archives of our own, no lock and no change of user, so that it works without root and leaves the machine as it is. */
function privateConf(work: string): string {
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
    // Images of Debian for containers clear the machine's own caches after each update.
    '#clear APT::Update::Post-Invoke;',
    '#clear APT::Update::Post-Invoke-Success;',
    '#clear DPkg::Post-Invoke;',
    '',
  ].join('\n')
}

async function firstThatWorks(tries: readonly (() => Promise<unknown>)[]): Promise<void> {
  let failure: unknown
  for (const attempt of tries) {
    try {
      await attempt()
      return
    } catch (error) {
      failure ??= error
    }
  }
  throw failure
}
